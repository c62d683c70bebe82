// The tools that every child has to speak with its caller, bound to one run.

import type { ToolDefinition } from "@mariozechner/pi-coding-agent";
import * as Pi from "@mariozechner/pi-coding-agent";
import type { FilesPort } from "../../core/platform/files.ts";
import type { Ids } from "../../core/platform/ids.ts";
import type { Log } from "../../core/platform/log.ts";
import type { RunOutput } from "../../core/ports.ts";
import type { WorkspaceFile } from "../files/workspace-file.ts";
import { askCallerTool } from "../tools/ask-caller.ts";
import { attachTool } from "../tools/attach.ts";

interface OwnToolsDeps {
  readonly files: FilesPort;
  readonly ids: Ids;
  readonly log: Log;
}

export interface OwnToolsRun {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly emit: (output: RunOutput) => void;
  readonly ask: (question: string) => void;
}

export function ownTools({ files, ids, log }: OwnToolsDeps, run: OwnToolsRun): ToolDefinition[] {
  const attach = (file: WorkspaceFile): void => {
    // A task may be attached to in several runs, so the id must not be counted.
    const artifact = { artifactId: `file-${ids.token()}`, name: file.filename, parts: [file] };
    if (!run.signal.aborted) run.emit({ kind: "artifact", artifact, append: false, lastChunk: true });
  };
  return [Pi.defineTool(askCallerTool(run.ask)), Pi.defineTool(attachTool({ files, log, cwd: run.cwd, attach }))];
}
