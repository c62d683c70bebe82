// Owns the credentials that commands print: run when one is needed, kept for some minutes, run again when a peer refuses what it
// got. Calls that need the same one at the same time share a run; it ends when nobody waits for it any more.

import { setMaxListeners } from "node:events";
import type { Clock } from "../core/platform/clock.ts";
import type { CommandOutcome, CommandPort } from "../core/platform/command.ts";
import { A2aError } from "../core/platform/errors.ts";
import { abortError } from "../core/platform/http-errors.ts";

const KEEP_MS = 300_000;
const RUN_MS = 15_000;
const MAX_BYTES = 64 * 1024;
/** Commands whose credential is kept, and credentials that redaction still knows. */
const MOST_KEPT = 50;

export interface TokenRequest {
  readonly peer: string;
  readonly command: string;
  readonly signal: AbortSignal;
  /** What the peer refused: it is not given again without asking the command. */
  readonly refused?: string;
}

export interface CommandTokens {
  /** Throws CONFIG_INVALID when the command gives none, or the signal's reason. */
  token(request: TokenRequest): Promise<string>;
  /** Every credential that was printed lately, for redaction. */
  known(): readonly string[];
  /** Kills what runs. */
  close(): void;
}

export interface CommandTokensDeps {
  readonly clock: Clock;
  readonly commands: CommandPort;
  /** Where commands run: a folder of the operator's, never the repository. */
  readonly cwd: () => string;
}

interface Run {
  readonly outcome: Promise<CommandOutcome>;
  readonly control: AbortController;
  waiting: number;
}

export function createCommandTokens({ clock, commands, cwd }: CommandTokensDeps): CommandTokens {
  const kept = new Map<string, { readonly token: string; readonly until: number }>();
  const runs = new Map<string, Run>();
  const printed = new Set<string>();

  const startRun = (command: string): Run => {
    const control = new AbortController();
    setMaxListeners(0, control.signal);
    const options = { cwd: cwd(), timeoutMs: RUN_MS, maxBytes: MAX_BYTES, signal: control.signal };
    const outcome = commands.run(command, options).finally(() => runs.delete(command));
    // Whoever still waits hears of it; nobody may be left when it is given up.
    outcome.catch(() => undefined);
    const run = { outcome, control, waiting: 0 };
    runs.set(command, run);
    return run;
  };
  const keep = (command: string, token: string): void => {
    addNewest(printed, token);
    kept.delete(command);
    kept.set(command, { token, until: clock.monotonic() + KEEP_MS });
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  };

  return {
    async token({ peer, command, signal, refused }) {
      if (signal.aborted) throw abortError(signal);
      const known = kept.get(command);
      if (known !== undefined && clock.monotonic() < known.until && known.token !== refused) return known.token;
      const outcome = await waitFor(runs.get(command) ?? startRun(command), signal);
      const token = outcome.kind === "printed" ? firstLine(outcome.text) : "";
      if (token === "") throw gaveNone(peer, outcome);
      keep(command, token);
      return token;
    },
    known: () => [...printed],
    close: () => commands.close(),
  };
}

/** The run goes on for the others; the last one who leaves ends it. */
async function waitFor(run: Run, signal: AbortSignal): Promise<CommandOutcome> {
  run.waiting += 1;
  let onAbort = (): void => undefined;
  const left = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(abortError(signal));
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([run.outcome, left]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    run.waiting -= 1;
    if (run.waiting === 0) run.control.abort();
  }
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1).join("").trim();
}

function gaveNone(peer: string, outcome: CommandOutcome): A2aError {
  const why = outcome.kind === "failed" ? outcome.why : "printed nothing in its first line";
  return new A2aError("CONFIG_INVALID", `${peer} was not called, as its tokenCommand ${why}`, {
    hint: `Run the command of a2a.peers.${peer}.auth.tokenCommand in a terminal; its first line has to be the credential.`,
  });
}

function addNewest(all: Set<string>, one: string): void {
  all.delete(one);
  all.add(one);
  const [oldest] = all;
  if (all.size > MOST_KEPT && oldest !== undefined) all.delete(oldest);
}
