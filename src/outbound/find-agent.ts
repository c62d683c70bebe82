// Owns finding the agent that a person means by a bare host: all likely addresses are asked for a card at once, for a few seconds,
// and the likeliest that has one is it. Names what was tried.

import { type Clock, within } from "../core/platform/clock.ts";
import { A2aError, describeError, isA2aError } from "../core/platform/errors.ts";
import { oneLine } from "../core/security/sanitize.ts";
import type { Discovery } from "./client-types.ts";

const FIND_MS = 5000;
/** How long a likelier address may still take once a less likely one has a card. */
const GRACE_MS = 700;
const REASON_CHARS = 140;

export interface Search {
  /** As it was given. */
  readonly host: string;
  /** The likeliest first. */
  readonly urls: readonly string[];
  /** Looks for the card at one address, once. */
  readonly probe: (url: string, signal: AbortSignal) => Promise<Discovery>;
  readonly signal?: AbortSignal | undefined;
}

type Outcome = { readonly found: Discovery } | { readonly error: unknown };

/** The discovery, with what was tried. PEER_REFUSED when all that answered want a login, PEER_UNREACHABLE when nothing did. */
export async function findAgent(clock: Clock, { host, urls, probe, signal }: Search): Promise<Discovery> {
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) stop.abort();
  const outcomes = new Map<string, Outcome>();
  let firstFound: () => void = () => undefined;
  const anyFound = new Promise<void>((resolve) => {
    firstFound = resolve;
  });
  const all = Promise.all(
    urls.map(async (url) => {
      try {
        outcomes.set(url, { found: await probe(url, stop.signal) });
        firstFound();
      } catch (error) {
        outcomes.set(url, { error });
      }
    }),
  );
  try {
    const inTime = await within(clock, FIND_MS, Promise.race([all, anyFound]));
    if (inTime) await within(clock, GRACE_MS, all);
    stop.abort();
    await all;
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
  if (signal?.aborted === true) throw new A2aError("CANCELLED", `the search for an agent at ${host} was stopped`);
  return chosen(host, urls, outcomes);
}

function chosen(host: string, urls: readonly string[], outcomes: ReadonlyMap<string, Outcome>): Discovery {
  const found = urls.flatMap((url) => {
    const outcome = outcomes.get(url);
    return outcome !== undefined && "found" in outcome ? [outcome.found] : [];
  });
  const [best, ...others] = found;
  if (best === undefined) throw notFound(host, urls, outcomes);
  return { ...best, search: { tried: urls, others: others.map(({ peer }) => peer.url) } };
}

function notFound(host: string, urls: readonly string[], outcomes: ReadonlyMap<string, Outcome>): A2aError {
  const tried = urls.map((url) => `${url} (${reasonOf(outcomes.get(url))})`).join(", ");
  const refusals = urls.filter((url) => refusalIn(outcomes.get(url)) !== undefined);
  const [refused] = refusals;
  if (refused !== undefined) {
    return new A2aError("PEER_REFUSED", `what answers at ${refused} wants a login; tried ${tried}`, {
      hint: "Add it with its login under a2a.peers of your settings, or give its full address.",
    });
  }
  return new A2aError("PEER_UNREACHABLE", `no agent was found at ${oneLine(host, 80)}; tried ${tried}`, {
    hint: "Give its full address, such as http://host:port/path, or add it to a2a.peers.",
  });
}

function refusalIn(outcome: Outcome | undefined): unknown {
  return outcome !== undefined && "error" in outcome && isA2aError(outcome.error, "PEER_REFUSED")
    ? outcome.error
    : undefined;
}

function reasonOf(outcome: Outcome | undefined): string {
  if (outcome === undefined || "found" in outcome) return "no answer";
  const { error } = outcome;
  if (isA2aError(error, "CANCELLED")) return `no answer within ${FIND_MS / 1000} s`;
  const text = isA2aError(error) ? error.message : describeError(error);
  // What the address already says is not said again.
  const short = text
    .replace(/^no connection to \S+: /, "")
    .replace(/^\S+ has no agent card; tried .*$/s, "no agent card");
  return oneLine(short, REASON_CHARS);
}
