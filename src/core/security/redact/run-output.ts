// Owns that nothing a runner says leaves with a secret: live text as a stream, everything else as a whole. One for each run.

import { changed } from "../../platform/changed.ts";
import type { RunOutcome, RunOutput } from "../../ports.ts";
import { isBare } from "../../protocol/artifact.ts";
import type { Artifact, Part } from "../../protocol/types.ts";
import { redactMetadata, redactPart } from "./parts.ts";
import type { Redaction } from "./redaction.ts";
import type { Redactor } from "./redactor.ts";

export interface RedactedRun {
  emit(output: RunOutput): void;
  outcome(outcome: RunOutcome): RunOutcome;
}

interface LiveText {
  readonly redactor: Redactor;
  /** A piece of it has left, so the next one is appended. */
  started: boolean;
}

type ArtifactOutput = Extract<RunOutput, { kind: "artifact" }>;

/** A provisional piece with `lastChunk` says that its text has ended: what was held back of it is given out. */
export function redactRun(redaction: Redaction, emit: (output: RunOutput) => void): RedactedRun {
  const live = new Map<string, LiveText>();

  const emitLive = (output: ArtifactOutput): void => {
    const { artifact, append, lastChunk } = output;
    const known = append ? live.get(artifact.artifactId) : undefined;
    const stream = known ?? { redactor: redaction.stream(), started: append };
    const text = stream.redactor.push(textOf(artifact.parts)) + (lastChunk ? stream.redactor.end() : "");
    if (lastChunk) live.delete(artifact.artifactId);
    else live.set(artifact.artifactId, stream);
    if (text === "") return;
    // Made anew where it can be, which is faster than a copy.
    const piece = isBare(artifact)
      ? { artifactId: artifact.artifactId, parts: [{ text }] }
      : changed(artifact, { parts: [{ text }] });
    emit({ kind: "artifact", artifact: piece, append: stream.started, lastChunk: false, provisional: true });
    stream.started = true;
  };

  return {
    emit(output) {
      switch (output.kind) {
        case "working":
          emit(output.note === undefined ? output : { ...output, note: redaction.text(output.note) });
          break;
        case "metadata":
          emit({ ...output, metadata: redactMetadata(output.metadata, redaction) });
          break;
        case "artifact":
          if (output.provisional === true && isText(output.artifact.parts)) emitLive(output);
          else emit(changed(output, { artifact: redactArtifact(output.artifact, redaction) }));
          break;
      }
    },
    outcome: (outcome) => redactOutcome(outcome, redaction),
  };
}

function redactArtifact(artifact: Artifact, redaction: Redaction): Artifact {
  const { name, description, metadata } = artifact;
  return {
    ...artifact,
    ...(name === undefined ? {} : { name: redaction.text(name) }),
    ...(description === undefined ? {} : { description: redaction.text(description) }),
    ...(metadata === undefined ? {} : { metadata: redactMetadata(metadata, redaction) }),
    parts: redactParts(artifact.parts, redaction),
  };
}

function redactOutcome(outcome: RunOutcome, redaction: Redaction): RunOutcome {
  switch (outcome.kind) {
    case "completed":
      return outcome.note === undefined ? outcome : { ...outcome, note: redaction.text(outcome.note) };
    case "failed":
    case "rejected":
      return { ...outcome, reason: redaction.text(outcome.reason) };
    case "input-required":
    case "auth-required":
      return { ...outcome, question: redactParts(outcome.question, redaction) };
    case "message":
      return { ...outcome, parts: redactParts(outcome.parts, redaction) };
    case "canceled":
      return outcome;
  }
}

function redactParts(parts: readonly Part[], redaction: Redaction): readonly Part[] {
  return parts.map((part) => redactPart(part, redaction));
}

function isText(parts: readonly Part[]): boolean {
  return parts.every((part) => "text" in part);
}

function textOf(parts: readonly Part[]): string {
  let text = "";
  for (const part of parts) if ("text" in part) text += part.text;
  return text;
}
