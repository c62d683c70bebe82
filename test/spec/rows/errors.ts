// The error object and its codes (A2A 1.0 §3.3.2, §5.4, §9.5).

import { must, type Rows, ruled } from "../requirement.ts";

export const ERRORS: Rows = {
  "err-object": must("9.5", "An error has exactly code, message and data; its reply has no result."),
  "err-data-types": must("9.5", "`data` is a list of objects that each have an @type."),
  "err-info": must(
    "9.5",
    "An error of the specification has ErrorInfo first: reason, domain a2a-protocol.org, metadata of strings only.",
  ),
  "err-reasons": must("5.4", "Each code of the specification has its own reason, in capitals and without `Error`."),
  "err-bad-request": must("9.5", "-32602 names each bad field by its path in BadRequest.fieldViolations."),
  "err-own-codes": ruled(
    "5.4",
    "Login, rate, trust and busy have codes outside those of the specification: -32050 to -32053.",
  ),
  "err-same-not-found": must("3.3.2", "Unknown and foreign tasks give the same error, message included."),
};
