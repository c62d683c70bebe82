// Owns how the server of this session reaches the other sessions of its agent folder, and is reached by them.

import type { Settings } from "../core/config/settings.ts";
import type { Clock } from "../core/platform/clock.ts";
import { createHttpPort } from "../core/platform/http.ts";
import { NETWORK_RULES } from "../core/security/call-rule.ts";
import type { Engine } from "../engine/engine-types.ts";
import type { SiblingAccess } from "../inbound/siblings/shared-deps.ts";
import type { OwnJournal } from "./server-control.ts";
import type { TaskJournal } from "./task-journal.ts";

export interface OpenSiblingAccess {
  readonly access: SiblingAccess;
  /** Those of this process, the newest first. */
  readonly journals: readonly OwnJournal[];
  close(): Promise<void>;
}

export interface SiblingAccessDeps {
  readonly clock: Clock;
  readonly settings: () => Settings;
  readonly engine: Engine;
  readonly kept: TaskJournal;
  /** Of engines of this process that came before this one. */
  readonly older: readonly OwnJournal[];
  /** The engine has tasks that another session has left. */
  readonly onTakeOver: () => Promise<void>;
}

export function openSiblingAccess(deps: SiblingAccessDeps): OpenSiblingAccess {
  const { clock, settings, engine, kept, older, onTakeOver } = deps;
  const journals = [{ keys: kept.journal.keys, secret: kept.secret }, ...older];
  const others = (): ReadonlySet<string> => new Set(older.flatMap(({ keys }) => [...keys()]));
  const siblings = kept.openSiblings({ engine, others, onTakeOver });
  // No proxy of the environment: what is asked here stays on this machine.
  const http = createHttpPort({ clock, network: NETWORK_RULES });
  const secrets = journals.map(({ secret }) => secret);
  return {
    access: { siblings, http, secrets: () => secrets, pollMs: () => settings().server.streamPollSec * 1000 },
    journals,
    async close() {
      await siblings.close();
      http.close();
    },
  };
}
