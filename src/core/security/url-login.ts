// Owns showing an address without the user name and password that it may hold. Never changes what is called.

const HIDDEN = "***";

/** `text`, an address of any kind or a name, with the login in it replaced by `***`; everything else comes back unchanged. */
export function hideLogin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.username !== "" || url.password !== "")) {
    url.username = HIDDEN;
    url.password = "";
    return url.href;
  }
  if (url !== undefined && url.host !== "") return text;
  // No address with a host: what stands before the last @ may be meant as a login.
  const at = text.lastIndexOf("@");
  const before = text.slice(0, Math.max(0, at));
  if (!before.includes(":")) return text;
  const scheme = /^[a-z][a-z0-9+.-]*:[\\/]{2}/i.exec(before)?.[0] ?? "";
  return `${scheme}${HIDDEN}${text.slice(at)}`;
}
