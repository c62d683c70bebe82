// Loaded into a real Pi before anything else (node --import): notes in a file when a session is prompted. The moment is that of the
// system's monotonic clock, which is the same in every process.

import { appendFileSync } from "node:fs";
import { AgentSession } from "@mariozechner/pi-coding-agent";

const path = process.env.BENCH_PROMPTS;
const { prompt } = AgentSession.prototype;

AgentSession.prototype.prompt = function (...args) {
  if (path !== undefined) appendFileSync(path, `${process.hrtime.bigint()}\n`);
  return prompt.apply(this, args);
};
