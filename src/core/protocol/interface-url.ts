// Owns the address that a card's interface entry means for whoever read the card: relative urls stand beside the card, and a
// server that lists the address it is bound to ("every interface") is reached where its card was.

const EVERY_INTERFACE = new Set(["0.0.0.0", "[::]"]);

/** True for the address of a server that is bound to every interface, which nobody can call. */
export function isEveryInterface(text: string): boolean {
  return URL.canParse(text) && EVERY_INTERFACE.has(new URL(text).hostname);
}

/** The url to call; text that is no http url, such as a gRPC target, comes back unchanged. */
export function reachableUrl(text: string, cardUrl: string): string {
  if (!URL.canParse(text, cardUrl)) return text;
  const url = new URL(text, cardUrl);
  if (url.protocol !== "http:" && url.protocol !== "https:") return text;
  // Unchanged where possible: some servers tell apart urls that normalising makes equal.
  if (!EVERY_INTERFACE.has(url.hostname)) return URL.canParse(text) ? text : url.href;
  if (URL.canParse(cardUrl)) url.hostname = new URL(cardUrl).hostname;
  return url.href;
}
