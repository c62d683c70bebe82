// Owns how strictly the decoders read: a caller's request is refused with INVALID_PARAMS and the field's path (A2A 1.0 §9.5), a
// peer's reply is taken in every known spelling and refused with PEER_BAD_REPLY only when it cannot be understood.

import { A2aError } from "../platform/errors.ts";
import type { Refuse } from "../platform/json.ts";

export interface Rules {
  readonly refuse: Refuse;
  /** Takes older spellings, fills in what may be missing, passes over what is empty. */
  readonly lenient: boolean;
  /** Most parts of one message or artifact; peers that stream send one part per piece. */
  readonly maxParts: number;
  /** Longest url of a part in characters. */
  readonly maxUrlChars: number;
}

export const CALLER_RULES: Rules = {
  refuse(path, problem) {
    const field = path === "" ? "params" : path;
    return new A2aError("INVALID_PARAMS", `${field} ${problem}`, { violations: [{ field, description: problem }] });
  },
  lenient: false,
  maxParts: 1000,
  maxUrlChars: 8192,
};

export const PEER_RULES: Rules = {
  refuse: (path, problem) => new A2aError("PEER_BAD_REPLY", `the peer sent a malformed reply: ${path} ${problem}`),
  lenient: true,
  maxParts: 100_000,
  maxUrlChars: Number.POSITIVE_INFINITY,
};

/** Longest strings in characters, and most entries of small lists, whoever sends them. */
export const LIMITS = {
  idChars: 1024,
  uriChars: 8192,
  mediaTypeChars: 256,
  filenameChars: 1024,
  extensions: 100,
  references: 100,
  outputModes: 100,
  artifacts: 10_000,
  history: 10_000,
  cardEntries: 10_000,
} as const;
