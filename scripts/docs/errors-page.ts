// Makes docs/errors.md from the code table, so that the two cannot differ.

import { ERRORS } from "../../src/core/platform/errors.ts";

const INTRO = `# Errors

<!-- Written by \`npm run docs\` from src/core/platform/errors.ts; do not edit. -->

Every error has a code, a message that says what happened, and a hint that says what to do next. Tools, commands and
the server use the same codes. On the wire an error is a JSON-RPC error object; its \`data\` holds a
\`google.rpc.ErrorInfo\` whose \`reason\` is given below, and for wrong parameters a \`google.rpc.BadRequest\` that names the
field.

"HTTP" is the status of the response that carries the error. "Again" says whether the same request may succeed later
without a change; where the answer carries \`Retry-After\`, wait that long.

| Code | JSON-RPC | HTTP | Reason | Again | What to do |
|---|---|---|---|---|---|
`;

/** The whole page as Markdown. */
export function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(([code, { rpc, http, reason, retry, hint }]) =>
    tableRow([`\`${code}\``, String(rpc), String(http), `\`${reason}\``, retry ? "yes" : "no", hint]),
  );
  return `${INTRO}${rows.join("\n")}\n`;
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map(escapeCell).join(" | ")} |`;
}

/** Cell text may hold a bar or an angle bracket, which Markdown would read. */
function escapeCell(text: string): string {
  return text.replace(/\|/g, "\\|").replace(/</g, "&lt;");
}
