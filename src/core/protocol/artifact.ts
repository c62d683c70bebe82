// Owns what artifacts are beside their parts.

import type { Artifact } from "./types.ts";

/** It says nothing beside its parts, as most live text. */
export function isBare({ name, description, metadata, extensions }: Artifact): boolean {
  return name === undefined && description === undefined && metadata === undefined && extensions === undefined;
}
