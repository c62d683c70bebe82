// Who may do what (A2A 1.0 §7, §13), and pages beside the calls.

import { must, type Rows, ruled, should, unmet } from "../requirement.ts";

export const SECURITY: Rows = {
  "sec-own-tasks": must("13.1", "In every operation a task of another owner is what an unknown task is."),
  "sec-busy-tells-nothing": ruled("13.1", "A busy error names no task of another owner."),
  "sec-foreign-ids": ruled("own", "Ids that callers make are data: they never become file names as they are."),
  "sec-loopback-owner": ruled("own", "Without tokens all loopback callers are one owner."),
  "sec-host": ruled("13.4", "Without tokens only loopback names are served; another Host is 403, calls and card."),
  "sec-origin": ruled("13.4", "A browser page of another origin is 403."),
  "sec-body-size": should("13.3", "A body over 5 MiB is 413, and is not read to its end."),
  "sec-depth": should("13.3", "JSON deeper than 64 levels is -32600."),
  "sec-pieces": should("13.3", "JSON of more than 500,000 objects, lists and members is -32600."),
  "sec-head-size": should("13.3", "Headers over 16 KiB are 431."),
  "sec-slow-body": should("13.3", "A body that pauses for 15 s, or takes more than a minute, is given up."),
  "sec-tokens": must(
    "7.4",
    "Each request is authenticated as the card says, before its body is read; else 401 with WWW-Authenticate.",
  ),
  "sec-trusted": ruled("7.5", "A caller that is known and not trusted is 403, and is told no name."),
  "sec-rate": should("13.3", "Too many requests of one caller are 429."),
  "sec-rate-polls": ruled("own", "GetTask and subscribing count apart from all else, to ten times the limit."),
  "sec-rate-credentials": ruled("own", "Refused credentials count by address and lock out no right one."),
  "sec-connections": should("13.3", "At most 256 connections are served."),
  "sec-turns": ruled("own", "A message beyond the turns of its context is a REJECTED task that says why."),
  "sec-chain-loop": ruled(
    "own",
    "Work that comes back to a session that passed it on is a REJECTED task that says why.",
  ),
  "sec-chain-hops": ruled("own", "Work that was passed on too often is a REJECTED task that says why."),
  "sec-trace": ruled("own", "A run gets the caller's W3C trace, or a new one when there is none or a broken one."),
  "sec-tls": unmet(
    "the server speaks plain HTTP: TLS is the work of a proxy before it, and the start message says so",
    must("7.1", "In production traffic is encrypted."),
  ),
  "page-health": ruled("own", "GET / and /health say that the server is there."),
  "page-not-found": ruled("own", "Another GET is 404 with a JSON body that names the right paths."),
  "page-method": ruled("9.1", "Another HTTP method is 405 with Allow."),
  "task-durable": ruled(
    "own",
    "An acknowledged task is answered for after a crash and by sibling sessions, to its owner only.",
  ),
};
