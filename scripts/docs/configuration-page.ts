// Makes docs/configuration.md from the settings table, so that the two cannot differ.

import { LATER } from "../../src/core/config/later-keys.ts";
import { wantedBy } from "../../src/core/config/read-value.ts";
import { SETTINGS, type Setting } from "../../src/core/config/schema.ts";
import { code, table } from "./markdown.ts";

const INTRO = `# Configuration

<!-- Written by \`npm run docs\` from the settings table in src/core/config; do not edit. -->

Nothing needs to be set to call agents. Settings stand under the key \`a2a\` of \`settings.json\` in Pi's agent folder
(\`~/.pi/agent\`, or \`PI_CODING_AGENT_DIR\`), which is strict JSON. An editor that is pointed at
\`schemas/a2a-settings.schema.json\` of this package completes and checks them.

\`\`\`json
{
  "a2a": {
    "peers": { "researcher": { "url": "http://localhost:9999", "timeout": 120 } },
    "server": { "port": 9910, "workspace": "/home/me/project" },
    "timeouts": { "send": 360000 }
  }
}
\`\`\`

The key \`server.port\` below is \`a2a.server.port\` there; \`*\` is a name that you choose. A value that cannot be used is
named once, with what is used instead. Numbers, switches, lists and tokens may be written as text, in the file as in a
variable: \`"300"\`, \`"off"\`, \`"a,b"\` for a list, \`"a:x,b:y"\` for names with values.

## Where values come from

Each of these wins over those above it, key by key:

1. the defaults
2. the repository's \`.pi/settings.json\`, for a few keys
3. \`settings.json\` in the agent folder
4. its block \`projects\` for the folder of the session
5. \`.env.local\` in the agent folder
6. the environment
7. what was changed for this session only

**A repository** may set \`peers.<name>.url\`, \`peers.<name>.timeout\`, \`peers.<name>.capabilities\` and \`timeouts\`, nothing
else; the rest of its file is ignored and said to be. A peer that it names never gets a credential, reaches private
addresses only on this machine, and never takes the place of a peer of yours. Where Pi knows trusted projects, the
file of an untrusted one is not read. A \`.env.local\` in a repository is never read.

**Projects** give single folders, and all below them, settings of their own:

\`\`\`json
{
  "a2a": {
    "server": { "port": 9910 },
    "projects": {
      "/home/me/project": { "server": { "enabled": true, "agentName": "project" } }
    }
  }
}
\`\`\`

**\`.env.local\`** has one \`NAME=value\` on a line, with or without \`export\` and quotes; a line that begins with \`#\` is a
comment. Nothing in it is expanded. It may set every variable below, and those that \`peers.*.auth.tokenEnv\` names.
A blank variable counts as not set.

While \`settings.json\` or \`.env.local\` cannot be read, or a token or list of callers in it cannot be used, the server does
not start: nobody could say whom to keep out.

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
    ["Key", "What it will set", "Part", "Environment"],
    reserved.map((setting) => [...nameAndText(setting), LATER[setting.key] ?? "", variableOf(setting)]),
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
