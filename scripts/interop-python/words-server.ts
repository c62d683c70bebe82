// The real server with the agent of words, as a process of its own: says `ready: <origin>`, and ends when its standard input does.
// Its argument is the token that callers log in with.

import { startSut } from "../sut/server.ts";
import { WORDS_AGENT } from "./words-agent.ts";

const [token = ""] = process.argv.slice(2);
const agent = { ...WORDS_AGENT, token };
const server = await startSut({ port: 0, streaming: true, push: true, requireExtension: false, legacy: true, agent });
console.log(`ready: ${server.origin}`);
process.stdin.resume().once("end", () => void server.stop());
