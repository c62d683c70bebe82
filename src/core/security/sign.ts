// Owns the signature by which a receiver tells that a body came from here and is whole.

import { createHmac } from "node:crypto";

/** `sha256=<hex>`: HMAC-SHA256 with `secret` over the exact bytes of `body` in UTF-8. */
export function signBody(secret: string, body: string): string {
  return `sha256=${createHmac("sha256", secret).update(body, "utf8").digest("hex")}`;
}
