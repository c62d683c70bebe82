// An attack: what each of many clients does at the same time, and what came of it.

import { type Attacker, openAttacker } from "./attacker.ts";
import { createRandom, type Random } from "./random.ts";

export interface Attack {
  readonly name: string;
  /** Share of the round's clients; 1 when absent. */
  readonly share?: number;
  /** What one client does; it is dropped when this ends. */
  readonly act: (client: Attacker, random: Random) => Promise<void>;
  /** A way in which at least one client must have ended, such as `413`: the attack has met what it is about. */
  readonly meets?: string;
  /** Absent when the attackers end it. Else the server's time limits do: twenty times as fast, or only some times. */
  readonly limits?: "quick" | "patient";
}

/** How often clients ended in each way, such as `HTTP 408` or `no reply`. */
export type Outcomes = Readonly<Record<string, number>>;

export interface AttackResult {
  readonly clients: number;
  readonly outcomes: Outcomes;
  readonly statuses: readonly number[];
}

/** Runs it with `clients` clients at once. */
export async function runAttack(attack: Attack, port: number, clients: number): Promise<AttackResult> {
  const count = Math.max(1, Math.round(clients * (attack.share ?? 1)));
  const outcomes: Record<string, number> = {};
  const all: number[] = [];
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const client = await openAttacker(port, index);
      try {
        await attack.act(client, createRandom(`${attack.name} ${index}`));
      } finally {
        client.drop("close");
      }
      await client.closed;
      const labels = client.labels();
      for (const label of labels.length === 0 ? ["no reply"] : labels) outcomes[label] = (outcomes[label] ?? 0) + 1;
      all.push(...client.statuses());
    }),
  );
  return { clients: count, outcomes, statuses: all };
}

/** `12 x 408 -32600, 3 x no reply`. */
export function describeOutcomes(outcomes: Outcomes): string {
  return Object.entries(outcomes)
    .sort(([, a], [, b]) => b - a)
    .map(([label, count]) => `${count} x ${label}`)
    .join(", ");
}
