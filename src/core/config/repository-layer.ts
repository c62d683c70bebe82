// Owns what a repository's own settings file may say (DESIGN §10): addresses of peers, and how long calls may take. The rest is
// ignored and named in one notice, known or not, so that a folder which was merely checked out changes nothing. A peer that the
// operator has keeps every value of the operator's.

import { findingsIn } from "./file-layer.ts";
import { createLayer, type Finding, type Layer } from "./layer.ts";
import type { SettingsFile } from "./settings-file.ts";

const MOST_NAMED = 8;
const ALLOWED = "a repository may set only peers.<name>.url, .timeout and .capabilities, and timeouts";

/** The layer of the file; `operatorPeers` are the peers that all other layers name. */
export function repositoryLayer({ block, faults }: SettingsFile, operatorPeers: ReadonlySet<string>): Layer {
  const ignored = new Set<string>();
  const kept: Finding[] = [];
  for (const finding of findingsIn(block)) {
    const name = peerOf(finding);
    if ("ignored" in finding) ignored.add(finding.ignored);
    else if (name === undefined || !operatorPeers.has(name)) kept.push(finding);
    else ignored.add(`a2a.peers.${name} (there is a peer of yours with this name)`);
  }
  const notice = ignored.size === 0 ? [] : [{ source: block.source, place: "", problem: noticeOf([...ignored]) }];
  return createLayer(block, [...[...notice, ...faults].map((fault) => ({ fault })), ...kept]);
}

function peerOf(finding: Finding): string | undefined {
  if ("peer" in finding) return finding.peer;
  const ref = "entry" in finding ? finding.entry : "fault" in finding ? finding.fault.setting : undefined;
  return ref?.key.startsWith("peers.*.") ? ref.name : undefined;
}

function noticeOf(ignored: readonly string[]): string {
  const named = ignored.slice(0, MOST_NAMED).join(", ");
  const more = ignored.length > MOST_NAMED ? ` and ${ignored.length - MOST_NAMED} more` : "";
  return `${named}${more} ${ignored.length === 1 ? "is" : "are"} ignored: ${ALLOWED}`;
}
