// Markdown tables for the generated pages.

/** A table with these columns and rows, ending in a newline. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [tableRow(columns), `|${"---|".repeat(columns.length)}`, ...rows.map(tableRow)].join("\n").concat("\n");
}

export function code(text: string): string {
  return `\`${text}\``;
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map(escapeCell).join(" | ")} |`;
}

/** A bar ends a cell, and outside of code an angle bracket begins a tag. */
function escapeCell(text: string): string {
  const parts = text.replace(/\|/g, "\\|").split(/(`[^`]*`)/);
  return parts.map((part) => (part.startsWith("`") ? part : part.replace(/</g, "&lt;"))).join("");
}
