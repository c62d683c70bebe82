// Calls in the older dialects, as plain HTTP clients make them: what they send, and what they get as loosely typed JSON.

import { type CallOptions, call, openStream } from "./a2a-calls.ts";

/** JSON of an older dialect; every test asserts what it reads. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes are what is being tested
export type Loose = any;

export const V03 = { "A2A-Version": "0.3" };

let messages = 0;

/** Params of message/send as 0.3 spells them. */
export function v03Params(text: string, message: object = {}, configuration?: object): object {
  messages += 1;
  const sent = {
    kind: "message",
    messageId: `v03-${messages}`,
    role: "user",
    parts: [{ kind: "text", text }],
    ...message,
  };
  return configuration === undefined ? { message: sent } : { message: sent, configuration };
}

/** Params of message/send as older pi-a2a sessions spell them, without an id. */
export function piParams(text: string, message: object = {}, configuration?: object): object {
  const sent = { role: "ROLE_USER", parts: [{ text }], ...message };
  return configuration === undefined ? { message: sent } : { message: sent, configuration };
}

export async function oldCall(
  port: number,
  method: string,
  params?: unknown,
  options: CallOptions = {},
): Promise<Loose> {
  return (await call(port, method, params, options)).json;
}

/** The results of every frame, once the stream has ended. */
export async function oldFrames(
  port: number,
  method: string,
  params: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Loose[]> {
  const stream = await openStream(port, method, params, 1, headers);
  return (await stream.ended).map(({ result }) => result);
}
