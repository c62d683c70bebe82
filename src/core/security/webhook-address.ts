// Owns which webhooks may be called, as far as their URL tells: https and public, unless the operator allows more. A name is judged
// again by the addresses that it leads to, at every delivery, by whoever connects.

import { classifyHost } from "./address.ts";

const HOW_TO_ALLOW = "the operator can allow it with a2a.server.pushAllowInsecure or A2A_PUSH_ALLOW_INSECURE";

/** What is wrong with a webhook's URL, to be read behind its name; undefined when it may be called. */
export function webhookProblem(text: string, allowInsecure: boolean): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return "must be an absolute https URL";
  if (url.username !== "" || url.password !== "") return "must hold no user and password; give them in authentication";
  const kind = classifyHost(url.hostname);
  if (kind === "link-local") return "leads to a link-local address, and such addresses are never called";
  if (allowInsecure) return undefined;
  if (kind === "loopback" || kind === "private") return `leads to a ${kind} address (${HOW_TO_ALLOW})`;
  return url.protocol === "http:" ? `must be https, not plain http (${HOW_TO_ALLOW})` : undefined;
}
