// The tools that every child has to speak with its caller, bound to one run.

import type { ToolDefinition } from "@mariozechner/pi-coding-agent";
import * as Pi from "@mariozechner/pi-coding-agent";
import { type Clock, nextTurn } from "../../core/platform/clock.ts";
import type { FilesPort } from "../../core/platform/files.ts";
import type { Ids } from "../../core/platform/ids.ts";
import type { Log } from "../../core/platform/log.ts";
import type { RunOutput } from "../../core/ports.ts";
import { refuseSecrets } from "../../core/security/redact/parts.ts";
import type { Redaction } from "../../core/security/redact/redaction.ts";
import type { WorkspaceFile } from "../files/workspace-file.ts";
import { askCallerTool } from "../tools/ask-caller.ts";
import { attachTool } from "../tools/attach.ts";

interface OwnToolsDeps {
  readonly clock: Clock;
  readonly redaction: Redaction;
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

export function ownTools({ clock, files, ids, log, redaction }: OwnToolsDeps, run: OwnToolsRun): ToolDefinition[] {
  const attach = (file: WorkspaceFile): void => {
    // A task may be attached to in several runs, so the id must not be counted.
    const artifact = { artifactId: `file-${ids.token()}`, name: file.filename, parts: [file] };
    if (!run.signal.aborted) run.emit({ kind: "artifact", artifact, append: false, lastChunk: true });
  };
  const check = (file: WorkspaceFile): Promise<void> => refuseSecrets(file, redaction, () => nextTurn(clock));
  return [
    Pi.defineTool(askCallerTool(run.ask)),
    Pi.defineTool(attachTool({ files, log, cwd: run.cwd, check, attach })),
  ];
}
