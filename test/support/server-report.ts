// What a server that has nothing to tell says about itself.

import { NO_USAGE } from "../../src/pi/child/usage.ts";
import type { ServerReport } from "../../src/pi/server-control.ts";

export const QUIET_REPORT: ServerReport = {
  host: "127.0.0.1",
  port: 9910,
  origin: "http://127.0.0.1:9910",
  cardUrl: "http://127.0.0.1:9910/.well-known/agent-card.json",
  stats: { running: 0, waiting: 0, maxConcurrent: 3, tasks: 0, completed: 0, failed: 0 },
  running: [],
  keptProblems: [],
  usage: NO_USAGE,
};
