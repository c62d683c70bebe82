// The facts of a request as the server reads them, for tests without a socket: a POST from this machine unless told otherwise.

import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { type RequestFacts, readFacts } from "../../src/inbound/request-facts.ts";

export interface Caller {
  /** Of the socket; "" for one that has no address any more. */
  readonly address?: string;
  /** By their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

export function factsFrom({ address = "127.0.0.1", headers = {} }: Caller = {}, url = "/"): RequestFacts {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: address === "" ? undefined : address });
  const request = new IncomingMessage(socket);
  request.url = url;
  request.method = "POST";
  Object.assign(request.headers, { host: "127.0.0.1:9910", ...headers });
  request.rawHeaders.push(...Object.entries(headers).flat());
  return readFacts(request);
}
