// Every requirement on the JSON-RPC binding of this package, server and client, as one list. The rows are in ./rows/, one file for
// each part of the protocol; ./coverage.test.ts holds them against the titles of the tests.

import type { Requirement, Rows } from "./requirement.ts";
import { AGENT } from "./rows/agent.ts";
import { CARD } from "./rows/card.ts";
import { CLIENT } from "./rows/client.ts";
import { DATA } from "./rows/data.ts";
import { ENVELOPE } from "./rows/envelope.ts";
import { ERRORS } from "./rows/errors.ts";
import { LIST } from "./rows/list.ts";
import { PUSH } from "./rows/push.ts";
import { SECURITY } from "./rows/security.ts";
import { SEND } from "./rows/send.ts";
import { STREAM } from "./rows/stream.ts";
import { TASK } from "./rows/task.ts";
import { TURN } from "./rows/turn.ts";
import { VERSION } from "./rows/version.ts";

const AREAS: readonly Rows[] = [
  ...[ENVELOPE, VERSION, SEND, STREAM, TASK, LIST, PUSH],
  ...[ERRORS, DATA, TURN, AGENT, CARD, SECURITY, CLIENT],
];

export const REQUIREMENTS: readonly Requirement[] = AREAS.flatMap((rows) =>
  Object.entries(rows).map(([id, row]) => ({ id, ...row })),
);
