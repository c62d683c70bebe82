// Owns where an agent's card may stand for the address that somebody gave. Pure.

const NAMES = ["agent-card.json", "agent.json"] as const;

/**
 * The URLs to try, the most specific first. An address that already is a card's is taken as it stands, query included. Below a
 * path the card may stand under that path or at the origin.
 */
export function cardUrls(address: string): readonly string[] {
  const url = new URL(address);
  if (/\.json$/i.test(url.pathname) || url.pathname.includes("/.well-known/")) return [address];
  const path = url.pathname.replace(/\/+$/, "");
  const bases = path === "" ? [""] : [path, ""];
  return bases.flatMap((base) => NAMES.map((name) => `${url.origin}${base}/.well-known/${name}${url.search}`));
}
