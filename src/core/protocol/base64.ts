// Owns the base64 of raw parts: ProtoJSON reads the standard and the url-safe alphabet with or without padding, and writes
// the standard one with padding.

/** Standard base64 with padding, or undefined when the text is no base64. */
export function normaliseBase64(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return undefined;
  const digits = text.replace(/=+$/, "").replaceAll("-", "+").replaceAll("_", "/");
  const padding = (4 - (digits.length % 4)) % 4;
  const given = text.length - digits.length;
  if (padding === 3 || (given !== 0 && given !== padding)) return undefined;
  return digits + "=".repeat(padding);
}

/** Bytes that standard base64 with padding stands for. */
export function base64Bytes(text: string): number {
  return (text.length / 4) * 3 - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);
}
