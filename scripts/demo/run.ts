// `npm run demo`: two real Pi sessions hand each other a task. Reads the flags, sees that everything is cleaned up, sets the exit code.

import { parseArgs } from "node:util";
import { firstSignal } from "../support/first-signal.ts";
import { delegate } from "./delegation.ts";
import { keepServing } from "./serving.ts";
import { openTheatre, type Theatre } from "./theatre.ts";

const USAGE = `Usage: npm run demo [-- options]

Starts two Pi sessions. The first becomes an A2A server on a small workspace; the second asks it
which files hold TODO comments, and prints card, progress, reply and the files involved.
Without options an embedded scripted model is used: no key, no network.

  --model <provider/id>  use this model of your own Pi configuration (other extensions stay off)
  --serve                start only the first session and keep it until Ctrl-C, for curl
  --help                 show this text`;

/** A run with the scripted model takes a few seconds; a real model thinks longer. */
const SCRIPTED_LIMIT_MS = 28_000;
const MODEL_LIMIT_MS = 300_000;

interface Options {
  readonly model: string | undefined;
  readonly serve: boolean;
  readonly help: boolean;
}

function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: { model: { type: "string" }, serve: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    });
    if (values.model === "") throw new Error("--model needs a provider/id");
    return { model: values.model, serve: values.serve ?? false, help: values.help ?? false };
  } catch (error) {
    console.error(`${describe(error)}\n\n${USAGE}`);
    return undefined;
  }
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) return 2;
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const theatre = openTheatre(options.model);
  const stopped = firstSignal();
  try {
    if (options.serve) await keepServing(theatre, stopped);
    else await Promise.race([delegate(theatre), interruption(theatre, stopped)]);
    return 0;
  } catch (error) {
    console.error(`demo failed: ${describe(error)}`);
    return 1;
  } finally {
    await theatre.close();
  }
}

/** Never resolves: a demo that is stopped or takes too long has failed. */
async function interruption({ scripted }: Theatre, stopped: Promise<string>): Promise<never> {
  const limitMs = scripted ? SCRIPTED_LIMIT_MS : MODEL_LIMIT_MS;
  const late = new Promise<string>((resolve) => {
    setTimeout(() => resolve(`not done after ${limitMs / 1000} s`), limitMs).unref();
  });
  throw new Error(await Promise.race([stopped, late]));
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

process.exitCode = await main();
