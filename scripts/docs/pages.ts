// The files below docs/ and schemas/ that are made from tables in src: path and text of each.

import { configurationPage } from "./configuration-page.ts";
import { errorsPage } from "./errors-page.ts";
import { settingsSchema } from "./settings-schema.ts";

export interface Page {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
}

export function generatedPages(): Page[] {
  return [
    { path: "docs/configuration.md", text: configurationPage() },
    { path: "docs/errors.md", text: errorsPage() },
    { path: "schemas/a2a-settings.schema.json", text: settingsSchema() },
  ];
}
