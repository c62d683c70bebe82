// Owns where an agent's card may stand for the address that somebody gave. Pure.

const NAMES = ["agent-card.json", "agent.json"] as const;

/**
 * The URLs to try, the most specific first. An address that already is a card's is taken as it stands, query included. Below a
 * path the card may stand under that path, at the origin, or be what the address itself serves.
 */
export function cardUrls(address: string): readonly string[] {
  const url = new URL(address);
  if (/\.json$/i.test(url.pathname) || url.pathname.includes("/.well-known/")) return [address];
  const path = url.pathname.replace(/\/+$/, "");
  const origin = wellKnown(url, "", url.search);
  if (path === "") return origin;
  const below = wellKnown(url, path, url.search);
  // The last name is that of older agents of Microsoft's framework.
  const own = `${url.origin}${url.pathname}${url.search}`;
  if (/\/card$/.test(path)) return [own, ...below, ...origin];
  return [...below, `${url.origin}${path}/v1/card${url.search}`, ...assistantCards(url, path), ...origin, own];
}

function wellKnown({ origin }: URL, path: string, query: string): readonly string[] {
  return NAMES.map((name) => `${origin}${path}/.well-known/${name}${query}`);
}

/** LangGraph serves the cards of all its assistants in one place, told apart by a query. */
function assistantCards(url: URL, path: string): readonly string[] {
  const assistant = /^\/a2a\/([^/]+)$/.exec(path)?.[1];
  if (assistant === undefined || url.search !== "") return [];
  return wellKnown(url, "", `?assistant_id=${assistant}`).slice(0, 1);
}
