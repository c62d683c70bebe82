// Owns how the server of this session reaches the other sessions of its agent folder, and is reached by them.

import type { Settings } from "../core/config/settings.ts";
import type { Clock } from "../core/platform/clock.ts";
import { createHttpPort } from "../core/platform/http.ts";
import { NETWORK_RULES } from "../core/security/call-rule.ts";
import type { Engine } from "../engine/engine-types.ts";
import type { SiblingAccess } from "../inbound/siblings/shared-deps.ts";
import type { OwnJournal } from "./generations.ts";
import type { TaskJournal } from "./task-journal.ts";

export interface OpenSiblingAccess {
  readonly access: SiblingAccess;
  close(): Promise<void>;
}

export interface SiblingAccessDeps {
  readonly clock: Clock;
  readonly settings: () => Settings;
  readonly engine: Engine;
  readonly kept: TaskJournal;
  /** Of all engines of this process, as far as they are open. */
  readonly journals: () => readonly OwnJournal[];
  /** The engine has tasks that another session has left. */
  readonly onTakeOver: () => Promise<void>;
}

export function openSiblingAccess(deps: SiblingAccessDeps): OpenSiblingAccess {
  const { clock, settings, engine, kept, journals, onTakeOver } = deps;
  const others = (): ReadonlySet<string> => new Set(journals().flatMap(({ keys }) => [...keys()]));
  const siblings = kept.openSiblings({ engine, others, onTakeOver });
  // No proxy of the environment: what is asked here stays on this machine.
  const http = createHttpPort({ clock, network: NETWORK_RULES });
  const secrets = (): readonly string[] => journals().map(({ secret }) => secret);
  return {
    access: { siblings, http, secrets, pollMs: () => settings().server.streamPollSec * 1000 },
    async close() {
      await siblings.close();
      http.close();
    },
  };
}
