// A server of the chaos run in a process of its own: listener, admission, handler, engine and journal as in Pi, with an agent that acts
// by the first word of a message. What it does beside answering is written to files at once, since it is killed at any moment: each run
// that begins, each time its files are made smaller, each fault of its log.

import { openSync, writeSync } from "node:fs";
import { createSystemClock } from "../../src/core/platform/clock.ts";
import { createFilesPort } from "../../src/core/platform/files.ts";
import { createHttpPort } from "../../src/core/platform/http.ts";
import { createRandomIds } from "../../src/core/platform/ids.ts";
import { createJournalFiles } from "../../src/core/platform/journal-files.ts";
import { createLog, type Log } from "../../src/core/platform/log.ts";
import { createProcesses } from "../../src/core/platform/processes.ts";
import { NETWORK_RULES } from "../../src/core/security/call-rule.ts";
import { createEngine } from "../../src/engine/engine.ts";
import type { EngineLimits } from "../../src/engine/engine-types.ts";
import { openJournal } from "../../src/engine/journal/journal.ts";
import { createSiblings } from "../../src/engine/siblings/siblings.ts";
import type { AdmissionRules } from "../../src/inbound/admission/admission-types.ts";
import { startListener } from "../../src/inbound/listener.ts";
import { createRequestHandler } from "../../src/inbound/request-handler.ts";
import { createAgent } from "./agent.ts";
import { createDeath } from "./death.ts";
import { keyOf, type ServerOptions, type ServerReport } from "./server-process.ts";

type Stop = () => Promise<void>;

async function serve(options: ServerOptions, report: (ready: ServerReport) => void): Promise<Stop> {
  const { folder, port, life } = options;
  const clock = createSystemClock();
  const ids = createRandomIds();
  const note = noteTo(options.notesPath);
  const log = tellingLog(createLog(clock, ids.token), note);
  const death = createDeath(options.death, note);
  const ports = {
    ...{ folder, clock, log },
    files: death.files(createFilesPort()),
    journalFiles: death.journalFiles(createJournalFiles(clock, death.writes)),
    processes: createProcesses(),
  };
  const secret = ids.token();
  const { journal, recovered, problems } = await openJournal({
    ...{ ...ports, key: keyOf(life), secret, segmentBytes: options.segmentBytes },
    sync: () => false,
  });
  for (const problem of problems) note(`problem ${problem}`);
  const run = noteTo(options.runsPath);
  const runner = createAgent(clock, (taskId, messageId) => run(`${life} ${taskId} ${messageId}`));
  const limits = limitsOf(options.maxTasks);
  const engine = createEngine({ clock, ids, log, runner, sink: journal, store: journal, limits: () => limits });
  await engine.recover(recovered, () => undefined);
  const siblings = createSiblings({
    ...{ ...ports, journal, others: () => new Set<string>(), retentionMs: () => 0 },
    take: (tasks) => engine.recover(tasks, () => undefined),
  });
  const http = createHttpPort({ clock, network: NETWORK_RULES });
  const handler = createRequestHandler({
    ...{ engine, clock, ids, log },
    siblings: { siblings, http, secrets: () => [secret], pollMs: () => 1000 },
    cardFacts: () => ({ name: "chaos", description: "", version: "1", skills: [] }),
    admission: () => rulesOf(options.tokens),
  });
  const listener = await startListener({ clock, log }, { host: "127.0.0.1", port, portFallback: 0 }, handler);
  await journal.announce(listener.origin);
  report({ port: listener.port, keys: [...journal.keys()] });
  return async () => {
    await engine.stop("the session ended");
    handler.close();
    await listener.stop();
    await siblings.close();
    http.close();
    await journal.close();
  };
}

function limitsOf(maxTasks: number): EngineLimits {
  return { maxConcurrent: 24, replyTimeoutMs: 0, asyncTimeoutMs: 0, maxTasks, maxTaskBytes: 0, retentionMs: 0 };
}

function rulesOf(tokens: readonly string[]): AdmissionRules {
  return {
    tokens: tokens.map((token) => ({ token, key: `peer:${token}`, name: token })),
    trustedPeers: [],
    allowAllUsers: false,
    trustedProxies: [],
    publicUrl: "",
    closed: false,
  };
}

/** Each line is with the system before the next thing happens. */
function noteTo(path: string): (line: string) => void {
  const file = openSync(path, "a");
  return (line) => void writeSync(file, `${line}\n`);
}

function tellingLog(log: Log, note: (line: string) => void): Log {
  return {
    ...log,
    warn(text) {
      note(`warning ${text}`);
      log.warn(text);
    },
    fault(what, error) {
      note(`fault ${what}: ${error instanceof Error ? error.stack : String(error)}`.replaceAll("\n", " "));
      return log.fault(what, error);
    },
  };
}

const failed = (error: unknown): void => {
  console.error(error);
  process.exit(1);
};

process.once("message", (options: ServerOptions) => {
  serve(options, (ready) => void process.send?.(ready))
    .then((stop) => process.once("message", () => void stop().then(() => process.exit(0), failed)))
    .catch(failed);
});
process.on("disconnect", () => process.exit(0));
