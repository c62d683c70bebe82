// The stage of a terminal test: real Pi sessions in tmux, in the closed world of the end-to-end tests. What Pi writes to standard error
// goes to a file, so that a test can tell that nothing was printed over the screen.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXTENSION, OFFLINE_ARGS, piHost } from "./e2e-host.ts";
import { openStage, type Stage, type Workspace } from "./e2e-stage.ts";
import { PROMPT, startTmux, type Terminal, type TerminalSize } from "./tmux.ts";

export interface TuiStage {
  workspace: Stage["workspace"];
  /** A terminal with Pi in it, started with these arguments, ready for input. */
  session(name: string, folder: Workspace, size: TerminalSize, args?: string): Promise<Terminal>;
  /** What the sessions have written to standard error, all together. */
  stderr(): string;
  /** Adds to the settings that all sessions read. */
  addSettings(more: object): void;
  close(): Promise<void>;
}

/** The last line of Pi's screen: the model and its thinking level. */
export const FOOTER = /\bagent • \w+/;

const WAITING_SHELL = new RegExp(`^${PROMPT}\\s*$`, "m");

export function openTuiStage(): TuiStage {
  const stage = openStage();
  const tmux = startTmux();
  const errors = join(stage.root, "stderr");
  const launcher = stage.workspace("bin").file("pi");
  writeFileSync(launcher, launchScript(errors), { mode: 0o755 });
  const env = { ...stage.env, PATH: `${join(stage.root, "bin")}:${stage.env.PATH}` };
  const settings = join(stage.root, "agent", "settings.json");
  return {
    workspace: (name, files) => stage.workspace(name, { "hold.sh": HOLD, ...files }),
    async session(name, folder, size, args = "") {
      const terminal = await tmux.open(name, { size, cwd: folder.path, env });
      await terminal.enter(`pi ${args}`);
      // The footer is there before the extensions are; what they are has scrolled away when a long session is resumed.
      if (args === "") await terminal.shows(/scripted-model, src/);
      await terminal.shows(FOOTER);
      return terminal;
    },
    stderr: () => (existsSync(errors) ? readFileSync(errors, "utf8") : ""),
    addSettings(more) {
      writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, "utf8")), ...more }));
    },
    async close() {
      await tmux.close();
      await stage.close();
    },
  };
}

/** Quits Pi as a person does and waits for the shell; the milliseconds that it took, and what was printed after Pi's last screen. */
export async function quit(terminal: Terminal): Promise<{ readonly tookMs: number; readonly printed: string[] }> {
  const began = performance.now();
  await terminal.press("C-d");
  // The promise of the design: the shell is back within two seconds.
  await terminal.shows(WAITING_SHELL, { deadlineMs: 2_000 });
  const tookMs = performance.now() - began;
  const printed = (await terminal.history()).split(FOOTER).at(-1)?.split("\n") ?? [];
  return { tookMs, printed: printed.map((line) => line.trim()).filter((line) => line !== "" && line !== PROMPT) };
}

function launchScript(errors: string): string {
  const { node, cli } = piHost();
  const args = [...OFFLINE_ARGS.filter((arg) => arg !== "--no-session"), "-e", EXTENSION];
  return `#!/bin/sh\nexec '${node}' '${cli}' ${args.map((arg) => `'${arg}'`).join(" ")} "$@" 2>>'${errors}'\n`;
}

/** `sh hold.sh x`: writes its process id to pid-x and waits, half a minute at most, until go-x is there. */
const HOLD = `echo $$ > pid-$1
i=0
while [ ! -e go-$1 ] && [ $i -lt 600 ]; do i=$((i+1)); sleep 0.05; done
echo held
`;
