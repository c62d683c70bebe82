// Makes docs/configuration.md from the settings table, so that the two cannot differ.

import { wantedBy } from "../../src/core/config/read-value.ts";
import { SETTINGS, type Setting } from "../../src/core/config/schema.ts";
import { code, table } from "./markdown.ts";

const INTRO = `# Configuration

<!-- Written by \`npm run docs\` from the settings table in src/core/config; do not edit. -->

Nothing needs to be set to call agents. Settings stand under the key \`a2a\` of \`settings.json\` in Pi's agent folder
(\`~/.pi/agent\`, or \`PI_CODING_AGENT_DIR\`), which is strict JSON:

\`\`\`json
{
  "a2a": {
    "peers": { "researcher": { "url": "http://localhost:9999", "timeout": 120 } },
    "server": { "port": 9910, "workspace": "/home/me/project" },
    "timeouts": { "send": 360000 }
  }
}
\`\`\`

The key \`server.port\` below is \`a2a.server.port\` there; \`*\` is a name that you choose. An environment variable wins over
the file, a blank one counts as not set. Lists are written \`a,b\` in a variable, and names with values \`a:x,b:y\`. A value
that cannot be used is named once, with what is used instead. The settings files of a repository are not read.

## Settings

`;

const RESERVED = `
## Not in use yet

These names belong to parts that are still to come. A value that differs from the default is ignored, and said to be.

`;

/** The whole page as Markdown. */
export function configurationPage(): string {
  const inUse = SETTINGS.filter((setting) => setting.wired);
  const reserved = SETTINGS.filter((setting) => !setting.wired);
  const used = table(
    ["Key", "What it sets", "Value", "Default", "Environment"],
    inUse.map((setting) => [...nameAndText(setting), acceptedBy(setting), defaultOf(setting), variableOf(setting)]),
  );
  const later = table(
    ["Key", "What it will set", "Environment"],
    reserved.map((setting) => [...nameAndText(setting), variableOf(setting)]),
  );
  return INTRO + used + (reserved.length === 0 ? "" : RESERVED + later);
}

function nameAndText({ key, description }: Setting): string[] {
  return [code(key), description];
}

function acceptedBy(setting: Setting): string {
  const unit = "unit" in setting && setting.unit !== undefined ? ` (${setting.unit})` : "";
  return wantedBy(setting) + unit;
}

function defaultOf(setting: Setting): string {
  if (setting.default === undefined) return setting.unset ?? "not set";
  return code(JSON.stringify(setting.default));
}

function variableOf({ env }: Setting): string {
  return env === undefined ? "" : code(env);
}
