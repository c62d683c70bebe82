// Makes schemas/a2a-settings.schema.json from the settings table, for editors that complete and check settings.json. It takes each
// value in its own type; the loader takes numbers, switches and lists that are written as text too.

import { wantedOfEntry } from "../../src/core/config/read-value.ts";
import { SETTINGS, type Setting } from "../../src/core/config/schema.ts";
import type { StringFormat } from "../../src/core/config/setting-row.ts";
import { patternOf } from "../../src/core/config/string-formats.ts";

type Schema = { readonly [key: string]: unknown };
/** The settings below one key, by the steps that are left of theirs. */
type Keyed = readonly (readonly [readonly string[], Setting])[];

const ABOUT = "Pi's settings.json with the settings of pi-a2a under the key a2a.";
/** JSON has no comments: people write them as members that begin like one. */
const COMMENTS = { "^//": true };
/** Folders are absolute; the rest of a project's block is that of `a2a`. */
const FOLDER = { type: "string", pattern: "^(?:/|[A-Za-z]:[\\\\/]|\\\\\\\\)" };

export function settingsSchema(): string {
  const all = SETTINGS.map((setting) => [setting.key.split("."), setting] as const);
  const block = groupOf(all.filter(([, { key }]) => key !== "projects"));
  const projects = SETTINGS.filter(({ key }) => key === "projects").map(({ description }) => description);
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Settings of pi-a2a",
    description: ABOUT,
    type: "object",
    properties: {
      a2a: {
        ...block,
        properties: {
          ...properties(block),
          projects: {
            type: "object",
            description: projects.join(" "),
            propertyNames: FOLDER,
            additionalProperties: block,
          },
        },
      },
    },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function properties(block: Schema): object {
  return typeof block.properties === "object" && block.properties !== null ? block.properties : {};
}

function groupOf(settings: Keyed): Schema {
  const groups = new Map<string, Keyed>();
  for (const [[first = "", ...rest], setting] of settings) {
    groups.set(first, [...(groups.get(first) ?? []), [rest, setting]]);
  }
  const named = groups.get("*");
  if (named !== undefined) {
    const names = { type: "string", pattern: patternOf("name") };
    return { type: "object", propertyNames: names, additionalProperties: groupOf(named) };
  }
  const members = [...groups].map(([name, group]) => [name, memberOf(group)] as const);
  return {
    type: "object",
    properties: Object.fromEntries(members),
    patternProperties: COMMENTS,
    additionalProperties: false,
  };
}

function memberOf(group: Keyed): Schema {
  const [path, setting] = group[0] ?? [];
  return path?.length === 0 && setting !== undefined ? settingSchema(setting) : groupOf(group);
}

function settingSchema(setting: Setting): Schema {
  const told = [setting.description, ...(setting.wired ? [] : ["Has no effect yet."])];
  if (setting.env !== undefined) told.push(`Environment: ${setting.env}.`);
  return {
    ...typeOf(setting),
    description: told.join(" "),
    ...(setting.default === undefined ? {} : { default: setting.default }),
  };
}

function typeOf(setting: Setting): Schema {
  switch (setting.type) {
    case "boolean":
      return { type: "boolean" };
    case "integer":
    case "number":
      return { type: setting.type, minimum: setting.min, maximum: setting.max };
    case "enum":
      return { enum: setting.values };
    case "string":
      return setting.default === "" ? orBlank(setting.format) : stringOf(setting.format);
    case "strings":
      return { type: "array", items: stringOf(setting.items) };
    case "map":
      return {
        type: "object",
        propertyNames: stringOf(setting.names),
        additionalProperties: stringOf(setting.values),
        $comment: `Each entry is ${wantedOfEntry(setting)}.`,
      };
    case "object":
      return { type: "object" };
    case "objects":
      return { type: "array", items: { type: "object" } };
    default:
      return setting satisfies never;
  }
}

function stringOf(format: StringFormat): Schema {
  return { type: "string", pattern: patternOf(format) };
}

function orBlank(format: StringFormat): Schema {
  return { type: "string", pattern: `^$|${patternOf(format)}` };
}
