// HTTP and the JSON-RPC envelope (A2A 1.0 §9).

import { must, type Rows, ruled } from "../requirement.ts";

export const ENVELOPE: Rows = {
  "env-post": must(
    "9.1",
    "A JSON-RPC 2.0 request object that is POSTed as application/json is answered as application/json.",
  ),
  "env-every-path": ruled(
    "9.1",
    "Calls are taken at /, /a2a and every other path, with and without a final slash, without a redirect.",
  ),
  "env-method-names": must(
    "9.1",
    "All eleven methods of the specification are known under exactly their names, case-sensitive.",
  ),
  "env-content-type-read": ruled(
    "9.1",
    "application/json is read with parameters and in any case, and so is application/a2a+json.",
  ),
  "env-content-type-refused": ruled(
    "9.1",
    "Another content type, charset or encoding is -32005, with HTTP 200, and starts nothing.",
  ),
  "env-jsonrpc-version": must("9.2", 'A `jsonrpc` that is missing or not "2.0" is -32600 under the id that was sent.'),
  "env-id-echo": must(
    "9.2",
    "String, number and null ids come back unchanged, also in each stream frame; other ids are -32600.",
  ),
  "env-notification": ruled("9.2", "A request without id is answered by 204 without a body, and runs nothing."),
  "env-batch": ruled("9.2", "A batch is one -32600."),
  "env-parse-error": must("9.5", "What is no JSON is -32700 with id null."),
  "env-invalid-request": must("9.5", "JSON that is no request object, or has no method name, is -32600."),
  "env-unknown-method": must("9.5", "An unknown method is -32601, also when its name is one that every object has."),
  "env-invalid-params": must("9.5", "Params that are missing or of a wrong type are -32602."),
  "env-internal": must("9.5", "An unexpected fault is -32603 and shows neither stack nor path nor cause."),
  "env-error-200": ruled("9.5", "JSON-RPC errors travel with HTTP 200."),
  "env-http-errors": ruled(
    "9.5",
    "403, 405, 413, 429 and 503 have a JSON-RPC error as their body; 503 is the only 5xx.",
  ),
  "env-retry-after": ruled("9.5", "429 and 503 have Retry-After in whole seconds."),
  "method-results": must(
    "9.4",
    "Only sends and stream frames wrap their result in a member; the other results are the bare object.",
  ),
  "wire-golden": ruled(
    "9.4",
    "Requests like those of test/wire are answered by the same bytes, whatever changes inside.",
  ),
  "env-pipelined": ruled("9.1", "Requests that are sent at once on one connection are answered in order."),
};
