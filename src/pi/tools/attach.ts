// Owns the tool a2a_attach: a child hands a file of its workspace to the agent that gave it its task, as an artifact.

import type { ToolDefinition } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import type { FilesPort } from "../../core/platform/files.ts";
import type { Log } from "../../core/platform/log.ts";
import { base64Bytes } from "../../core/protocol/base64.ts";
import { readWorkspaceFile, type SizeCap, sizeText, type WorkspaceFile } from "../files/workspace-file.ts";
import { toolError } from "../guard.ts";

const MIB = 1024 * 1024;
/** As base64 it must pass through streams, whose readers may fall 4 MiB behind. */
const MAX_FILE_BYTES = 2 * MIB;
/** A task is read as a whole, and readers take 16 MiB of base64 at most. */
const MAX_RUN_BYTES = 8 * MIB;

const parameters = Type.Object({
  path: Type.String({ description: "The file, relative to the workspace." }),
  name: Type.Optional(Type.String({ description: "The name that the caller sees; by default the file's own." })),
});

export interface AttachDeps {
  readonly files: FilesPort;
  readonly log: Log;
  /** The child's folder. */
  readonly cwd: string;
  /** Throws what is wrong with the file when it must not leave. */
  readonly check: (file: WorkspaceFile) => Promise<void>;
  /** Hands the file over. */
  readonly attach: (file: WorkspaceFile) => void;
}

/** For one run of a child: it counts what was attached. */
export function attachTool(deps: AttachDeps): ToolDefinition<typeof parameters, undefined> {
  let sent = 0;
  return {
    name: "a2a_attach",
    label: "A2A attach",
    description:
      "Attach a file of the workspace to your result, so that the remote agent that gave you this task gets it. It cannot see your workspace. At most 2 MiB for one file, 8 MiB in all.",
    promptSnippet: "a2a_attach: hand a file to the remote agent that gave you this task",
    promptGuidelines: [
      "Use a2a_attach for files that the remote agent asked for; it cannot read paths on this machine.",
    ],
    parameters,
    // One after another, or two at once could pass the limit together.
    executionMode: "sequential",
    async execute(_id, { path, name }) {
      try {
        const file = await readWorkspaceFile(deps.files, deps.cwd, path, capAfter(sent), name);
        await deps.check(file);
        const size = base64Bytes(file.raw);
        sent += size;
        deps.attach(file);
        const text = `Attached ${file.filename} (${file.mediaType}, ${sizeText(size)}).`;
        return { content: [{ type: "text", text }], details: undefined };
      } catch (error) {
        throw toolError(deps.log, "a2a_attach", error);
      }
    },
  };
}

function capAfter(sent: number): SizeCap {
  const left = MAX_RUN_BYTES - sent;
  if (left >= MAX_FILE_BYTES) return { leftBytes: MAX_FILE_BYTES, text: `${sizeText(MAX_FILE_BYTES)} for one file` };
  return {
    leftBytes: left,
    text: `${sizeText(MAX_RUN_BYTES)} for all files of one run, of which ${sizeText(sent)} are used`,
  };
}
