// The small workspace that the demo's agent works in.

export const WORKSPACE_FILES: Readonly<Record<string, string>> = {
  "README.md": "# Notes\n\nA small service that keeps notes.\n",
  "src/server.ts": `import { find } from "./store.ts";

// TODO: answer 404 when there is no such note
export function show(id: string): string {
  return find(id) ?? "";
}
`,
  "src/store.ts": `const notes = new Map<string, string>();

export function find(id: string): string | undefined {
  return notes.get(id);
}

// TODO: write the notes to a file
export function keep(id: string, text: string): void {
  notes.set(id, text);
}
`,
  "src/format.ts": `export function title(text: string): string {
  return text.split("\\n")[0] ?? "";
}
`,
};

/** The right answer to "which files hold TODO comments". */
export const TODO_FILES = Object.keys(WORKSPACE_FILES).filter((name) => WORKSPACE_FILES[name]?.includes("TODO"));
