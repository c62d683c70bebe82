// A terminal that tests can type into and read: a tmux server of its own, started without anybody's configuration. Waits look at the
// screen again and again until a deadline, never for a fixed time.

import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { descendants, gone } from "./e2e-processes.ts";

const runFile = promisify(execFile);
const DEADLINE_MS = 20_000;
const LOOK_AGAIN_MS = 25;

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface Terminal {
  /** What is on the screen now, one string per row, without trailing blanks. */
  screen(): Promise<string>;
  /** The screen and everything that has scrolled out of it. */
  history(): Promise<string>;
  /** Types text as it is. */
  type(text: string): Promise<void>;
  /** Presses a key by tmux's name for it: Enter, Escape, Tab, C-o. */
  press(key: string): Promise<void>;
  /** Types a line and presses Enter once the line stands on the screen. */
  enter(line: string): Promise<void>;
  /** The screen as soon as it matches. Throws with the last screen at the deadline. */
  shows(match: RegExp | ScreenTest, options?: ShowOptions): Promise<string>;
  resize(size: TerminalSize): Promise<void>;
}

/** Its name says in the error what was expected. */
export type ScreenTest = (screen: string) => boolean;

interface ShowOptions {
  readonly deadlineMs?: number;
  /** Wait until it does not match. */
  readonly not?: boolean;
}

export interface Tmux {
  /** A shell in a terminal of this size, with exactly this environment. */
  open(name: string, shell: ShellOptions): Promise<Terminal>;
  /** Ends every terminal and what runs in it; complains about a process that stays. */
  close(): Promise<void>;
}

export interface ShellOptions {
  readonly size: TerminalSize;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What the shell writes when it waits for a line. */
export const PROMPT = "ready:";

let servers = 0;

export function startTmux(): Tmux {
  servers += 1;
  const socket = `pi-a2a-${process.pid}-${servers}`;
  const tmux = async (...args: readonly string[]): Promise<string> =>
    (await runFile("tmux", ["-L", socket, "-f", "/dev/null", ...args], { encoding: "utf8" })).stdout;
  return {
    async open(name, { size, cwd, env }) {
      const environment = Object.entries({ ...env, TERM: "xterm-256color", COLORTERM: "truecolor", PS1: `${PROMPT} ` });
      await tmux(
        ...["new-session", "-d", "-s", name, "-x", String(size.columns), "-y", String(size.rows), "-c", cwd],
        ...["env", "-i", ...environment.map(([key, value]) => `${key}=${value}`), "sh", "-i"],
      );
      const terminal = createTerminal(tmux, name);
      await terminal.shows(new RegExp(PROMPT));
      return terminal;
    },
    async close() {
      // There is no server when no terminal was opened, or the last shell has ended.
      const shells = await tmux("list-panes", "-a", "-F", "#{pane_pid}").catch(() => "");
      const left = shells.split("\n").flatMap((pid) => (pid === "" ? [] : [Number(pid), ...descendants(Number(pid))]));
      await tmux("kill-server").catch(() => undefined);
      await gone(left);
    },
  };
}

function createTerminal(tmux: (...args: readonly string[]) => Promise<string>, name: string): Terminal {
  const screen = (): Promise<string> => tmux("capture-pane", "-p", "-t", name);
  const type = async (text: string): Promise<void> => {
    await tmux("send-keys", "-t", name, "-l", "--", text);
  };
  const press = async (key: string): Promise<void> => {
    await tmux("send-keys", "-t", name, key);
  };
  const shows: Terminal["shows"] = async (match, { deadlineMs = DEADLINE_MS, not = false } = {}) => {
    const end = performance.now() + deadlineMs;
    const { matches, expected } = expectation(match);
    for (;;) {
      const now = await screen();
      if (matches(now) !== not) return now;
      if (performance.now() > end) {
        throw new Error(`the screen ${not ? "still shows" : "lacks"} ${expected} after ${deadlineMs} ms:\n${now}`);
      }
      await pause(LOOK_AGAIN_MS);
    }
  };
  return {
    screen,
    history: () => tmux("capture-pane", "-p", "-S", "-", "-t", name),
    type,
    press,
    async enter(line) {
      await type(line);
      await shows(endOf(line));
      await press("Enter");
    },
    shows,
    async resize({ columns, rows }) {
      await tmux("resize-window", "-t", name, "-x", String(columns), "-y", String(rows));
    },
  };
}

function expectation(match: RegExp | ScreenTest): { readonly matches: ScreenTest; readonly expected: string } {
  if (typeof match === "function") return { matches: match, expected: match.name };
  return { matches: (screen) => match.test(screen), expected: String(match) };
}

/** The last characters of a line, wherever an editor has wrapped them. */
function endOf(line: string): RegExp {
  const last = [...line.replace(/\s/g, "")].slice(-8);
  return new RegExp(last.map((char) => char.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")).join("\\s*"), "u");
}
