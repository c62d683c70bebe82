// Makes docs/errors.md from the code table, so that the two cannot differ.

import { ERRORS } from "../../src/core/platform/errors.ts";
import { code, table } from "./markdown.ts";

const INTRO = `# Errors

<!-- Written by \`npm run docs\` from src/core/platform/errors.ts; do not edit. -->

Every error has a code, a message that says what happened, and a hint that says what to do next. Tools, commands and
the server use the same codes. On the wire an error is a JSON-RPC error object; its \`data\` holds a
\`google.rpc.ErrorInfo\` whose \`reason\` is given below, and for wrong parameters a \`google.rpc.BadRequest\` that names the
field.

"HTTP" is the status of the response that carries the error. "Again" says whether the same request may succeed later
without a change; where the answer carries \`Retry-After\`, wait that long.

`;

/** The whole page as Markdown. */
export function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(([name, { rpc, http, reason, retry, hint }]) => [
    code(name),
    String(rpc),
    String(http),
    code(reason),
    retry ? "yes" : "no",
    hint,
  ]);
  return INTRO + table(["Code", "JSON-RPC", "HTTP", "Reason", "Again", "What to do"], rows);
}
