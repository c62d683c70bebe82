// `npm run sut`: serves the official conformance suite until it is stopped. Reads the flags, says when it is ready, sets the exit code.

import { parseArgs } from "node:util";
import { firstSignal } from "../support/first-signal.ts";
import { type SutOptions, startSut } from "./server.ts";

const USAGE = `Usage: npm run sut -- [options]

Serves A2A on 127.0.0.1 with the scripted agent of the official conformance suite, until Ctrl-C.

  --port <number>      port to serve on, 0 for a free one (default 9999)
  --no-streaming       decline the stream methods
  --no-push            decline push notifications
  --require-extension  require the suite's extension on every message
  --legacy             serve the older dialects as well
  --help               show this text`;

/** Longer than any suite; only keeps the process alive, since the server does not. */
const FOREVER_MS = 2 ** 31 - 1;

/** undefined when help was asked for. */
function readOptions(): SutOptions | undefined {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "9999" },
      "no-streaming": { type: "boolean", default: false },
      "no-push": { type: "boolean", default: false },
      "require-extension": { type: "boolean", default: false },
      legacy: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535)
    throw new Error(`--port must be a number up to 65535, not ${values.port}`);
  if (values.help) return undefined;
  return {
    port,
    streaming: !values["no-streaming"],
    push: !values["no-push"],
    requireExtension: values["require-extension"],
    legacy: values.legacy,
  };
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return console.log(USAGE);
  const stopped = firstSignal();
  const sut = await startSut(options);
  console.log(`ready: ${sut.origin}`);
  const alive = setInterval(() => undefined, FOREVER_MS);
  console.log(await stopped);
  clearInterval(alive);
  await sut.stop();
}

try {
  await main();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 1;
}
