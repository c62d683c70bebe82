// Owns the server's part of the settings, and why the server must not start with them.

import { A2aError, isA2aError } from "../platform/errors.ts";
import { type Fields, fieldsOf, omitUndefined, readFilledString, readStrings } from "../platform/json.ts";
import type { AgentSkill } from "../protocol/types.ts";
import type { Fault, MergedSettings } from "./layer.ts";
import { ROWS, type SettingKey } from "./schema-rows.ts";
import { booleanOf, choiceOf, mapOf, numberOf, optionalNumber, stringOf, stringsOf } from "./setting-values.ts";
import type { ServerSettings } from "./settings.ts";

const MAX_NAME = 200;
const MAX_TEXT = 4000;
const MAX_WORDS = 100;

/** Settings that keep callers out: where one of them was written and cannot be used, its default would let them in. */
const KEEP_OUT: readonly SettingKey[] = ["server.sharedToken", "server.peerTokens", "server.trustedPeers"];

export interface BuiltServer {
  readonly server: Omit<ServerSettings, "refusals">;
  readonly faults: readonly Fault[];
}

export function buildServer(merged: MergedSettings): BuiltServer {
  const { skills, faults } = readSkills(merged);
  const maxDetached = optionalNumber(merged, "server.maxDetached");
  const server = {
    ...identityOf(merged),
    skills,
    legacy: booleanOf(merged, "server.legacy"),
    maxConcurrent: numberOf(merged, "server.maxConcurrent"),
    ...(maxDetached === undefined ? {} : { maxDetached }),
    replyTimeoutSec: numberOf(merged, "server.replyTimeoutSec"),
    asyncTimeoutSec: numberOf(merged, "server.asyncTimeoutSec"),
    maxPingpongTurns: numberOf(merged, "server.maxPingpongTurns"),
    maxHops: numberOf(merged, "server.maxHops"),
    rateLimitPerMin: numberOf(merged, "server.rateLimitPerMin"),
    ...storageOf(merged),
    pushTimeoutSec: numberOf(merged, "server.pushTimeoutSec"),
    pushAllowInsecure: booleanOf(merged, "server.pushAllowInsecure"),
    pushSecret: stringOf(merged, "server.pushSecret"),
  };
  return { server, faults };
}

/** The faults that must keep the server from starting. */
export function keepsServerDown(merged: MergedSettings, { setting, inPart, whole }: Fault): boolean {
  if (setting === undefined) return whole === true;
  return KEEP_OUT.includes(setting.key) && inPart !== true && merged.get(setting.key) === undefined;
}

function identityOf(merged: MergedSettings) {
  return {
    enabled: booleanOf(merged, "server.enabled"),
    port: numberOf(merged, "server.port"),
    portFallback: numberOf(merged, "server.portFallback"),
    host: stringOf(merged, "server.host"),
    workspace: stringOf(merged, "server.workspace"),
    agentName: stringOf(merged, "server.agentName"),
    publicUrl: stringOf(merged, "server.publicUrl"),
    sharedToken: stringOf(merged, "server.sharedToken"),
    peerTokens: mapOf(merged, "server.peerTokens"),
    trustedPeers: stringsOf(merged, "server.trustedPeers"),
    allowAllUsers: booleanOf(merged, "server.allowAllUsers"),
    trustedProxies: stringsOf(merged, "server.trustedProxies"),
  };
}

function storageOf(merged: MergedSettings) {
  return {
    childTranscripts: booleanOf(merged, "server.childTranscripts"),
    childTranscriptRetentionDays: numberOf(merged, "server.childTranscriptRetentionDays"),
    taskRetentionDays: numberOf(merged, "server.taskRetentionDays"),
    maxTasks: numberOf(merged, "server.maxTasks"),
    durability: choiceOf(merged, "server.durability", ROWS["server.durability"]),
    streamPollSec: numberOf(merged, "server.streamPollSec"),
  };
}

function readSkills(merged: MergedSettings): { skills: readonly AgentSkill[]; faults: readonly Fault[] } {
  const entry = merged.get("server.skills");
  const skills: AgentSkill[] = [];
  const faults: Fault[] = [];
  if (entry === undefined || !Array.isArray(entry.value)) return { skills: skills, faults };
  entry.value.forEach((value: unknown, index) => {
    try {
      skills.push(readSkill(value));
    } catch (error) {
      if (!isA2aError(error)) throw error;
      const problem = `entry ${index + 1} is left out: ${error.message}`;
      const setting = { key: "server.skills", name: "" } as const;
      faults.push({ source: entry.source, place: "a2a.server.skills", problem, setting, inPart: true });
    }
  });
  return { skills: skills, faults };
}

function readSkill(value: unknown): AgentSkill {
  const refuse = (path: string, problem: string): A2aError => new A2aError("CONFIG_INVALID", `${path} ${problem}`);
  const fields: Fields = fieldsOf(value, "", refuse);
  const id = readFilledString(fields, "id", MAX_NAME);
  const name = readFilledString(fields, "name", MAX_NAME) ?? id;
  if (name === undefined) throw refuse("id and name", "are missing");
  return omitUndefined({
    id: id ?? name,
    name,
    description: readFilledString(fields, "description", MAX_TEXT) ?? name,
    tags: readStrings(fields, "tags", MAX_WORDS, MAX_NAME) ?? [id ?? name],
    examples: readStrings(fields, "examples", MAX_WORDS, MAX_TEXT),
  });
}
