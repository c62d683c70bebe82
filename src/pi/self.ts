// Owns what this session says about itself on its agent card.

import { hostname } from "node:os";
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import type { AgentSkill } from "../core/protocol/types.ts";
import { oneLine } from "../core/security/sanitize.ts";

const MAX_DESCRIPTION = 1024;
const SKILL_PREFIX = "skill:";

const CODING_SKILL: AgentSkill = {
  id: "coding",
  name: "Coding",
  description: "Reads, searches, edits and runs code in this workspace.",
  tags: ["coding"],
};

/** The configured name, else the machine's. */
export function agentName(configured: string): string {
  return configured === "" ? hostname() : configured;
}

/** The session's own skills as card skills, or one that says what a coding agent does. */
export function sessionSkills(commands: ReturnType<ExtensionAPI["getCommands"]>): AgentSkill[] {
  const skills = commands.filter((command) => command.name.startsWith(SKILL_PREFIX)).map(cardSkill);
  return skills.length === 0 ? [CODING_SKILL] : skills;
}

function cardSkill(command: { readonly name: string; readonly description?: string }): AgentSkill {
  const name = oneLine(command.name.slice(SKILL_PREFIX.length), 120);
  const description = oneLine(command.description ?? "", MAX_DESCRIPTION);
  return { id: name, name, description: description === "" ? name : description, tags: ["skill"] };
}
