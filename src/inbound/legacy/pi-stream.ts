// Owns a task stream as older pi-a2a sessions read it: each status as the whole task, each artifact bare and once it is whole. A bare
// artifact cannot say that it is a piece, so pieces are kept back.

import { encodeArtifact, encodeMessage, encodeTask, type TaskOptions } from "../../core/protocol/encode.ts";
import { isInterrupted, isTerminal } from "../../core/protocol/task-state.ts";
import type {
  JsonObject,
  Message,
  StreamResponse,
  Task,
  TaskArtifactUpdate,
  TaskStatusUpdate,
} from "../../core/protocol/types.ts";
import { foldEvent } from "../../engine/task-fold.ts";
import type { ResultStream } from "../rpc-method.ts";
import type { TaskStream } from "../task-stream.ts";

/** What was said in a task so far; streams do not carry the answers of callers. Undefined when nobody can say. */
export type HistoryOf = (taskId: string) => Promise<readonly Message[] | undefined>;

interface Trail {
  readonly options: TaskOptions | undefined;
  readonly historyOf: HistoryOf;
  /** After the frames so far. */
  task: Task | undefined;
  /** Artifacts of which a piece has come and the last one has not. */
  readonly pieces: Set<string>;
}

export function piStream(stream: TaskStream, historyOf: HistoryOf, options?: TaskOptions): ResultStream {
  const trail: Trail = { options, historyOf, task: undefined, pieces: new Set() };
  const ready: JsonObject[] = [];
  return {
    async next() {
      for (;;) {
        const result = ready.shift();
        if (result !== undefined) return result;
        const frame = await stream.next();
        if (frame === undefined) return undefined;
        ready.push(...(await resultsOf(frame, trail)));
      }
    },
    close: () => stream.close(),
  };
}

async function resultsOf(frame: StreamResponse, trail: Trail): Promise<JsonObject[]> {
  if ("message" in frame) return [{ message: encodeMessage(frame.message) }];
  if ("statusUpdate" in frame) return await afterStatus(frame.statusUpdate, trail);
  if ("artifactUpdate" in frame) return afterArtifact(frame.artifactUpdate, trail);
  trail.task = frame.task;
  return [statusResult(frame.task, trail)];
}

/** What is whole by now goes first: the status may be the last result. */
async function afterStatus(update: TaskStatusUpdate, trail: Trail): Promise<JsonObject[]> {
  const { taskId, contextId, status, metadata = {} } = update;
  const folded = foldEvent(trail.task, { kind: "status", taskId, contextId, at: 0, status });
  const history = await trail.historyOf(taskId);
  const task = {
    ...folded,
    ...(history === undefined ? {} : { history }),
    metadata: { ...folded.metadata, ...metadata },
  };
  trail.task = task;
  if (!isTerminal(status.state) && !isInterrupted(status.state)) return [statusResult(task, trail)];
  const rest = artifactResults(task, [...trail.pieces]);
  trail.pieces.clear();
  return [...rest, statusResult(task, trail)];
}

function afterArtifact(update: TaskArtifactUpdate, trail: Trail): JsonObject[] {
  const { taskId, contextId, artifact, append, lastChunk } = update;
  const { artifactId } = artifact;
  const piece = { artifact, append, lastChunk, provisional: false };
  trail.task = foldEvent(trail.task, { kind: "artifact", taskId, contextId, at: 0, ...piece });
  if (!lastChunk) {
    trail.pieces.add(artifactId);
    return [];
  }
  trail.pieces.delete(artifactId);
  return artifactResults(trail.task, [artifactId]);
}

function statusResult(task: Task, { options }: Trail): JsonObject {
  return { statusUpdate: encodeTask(task, options) };
}

function artifactResults({ artifacts = [] }: Task, ids: readonly string[]): JsonObject[] {
  return artifacts
    .filter(({ artifactId }) => ids.includes(artifactId))
    .map((artifact) => ({ artifactUpdate: encodeArtifact(artifact) }));
}
