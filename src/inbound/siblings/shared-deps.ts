// What the operations that reach beyond this server need, and what makes them reach there. Types only.

import type { Clock } from "../../core/platform/clock.ts";
import type { HttpPort } from "../../core/platform/http-types.ts";
import type { Engine } from "../../engine/engine-types.ts";
import type { Siblings } from "../../engine/siblings/siblings.ts";
import type { SiblingClient } from "./sibling-client.ts";
import type { TaskPlaces } from "./task-places.ts";

export interface SharedDeps {
  readonly engine: Engine;
  readonly siblings: Siblings;
  readonly places: TaskPlaces;
  readonly client: SiblingClient;
  readonly clock: Clock;
  /** Milliseconds between two looks at a task whose session cannot be reached. */
  readonly pollMs: () => number;
}

/** How a server reaches the other servers of its agent folder, and is reached by them. */
export interface SiblingAccess {
  readonly siblings: Siblings;
  /** Without any proxy. */
  readonly http: HttpPort;
  /** With each of these another one may ask for tasks of this process. */
  readonly secrets: () => readonly string[];
  readonly pollMs: () => number;
}
