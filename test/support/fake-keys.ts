// Keys that nobody ever issued, made of pieces while the tests run: no file of the repository holds what a scanner would report.

import { isIn } from "../../src/core/security/redact/chars.ts";

const LETTERS = "k7Qd2Zr9fW4bN8xG3mT6vJ5cH1yLsPaEuRoDiBw0KzXeYqUgMhCjVtFnS-_.~+/=";

/** `length` letters of a class of chars.ts, always the same for the same `seed`. */
export function lettersOf(mask: number, length: number, seed = 0): string {
  const usable = Array.from(LETTERS).filter((letter) => isIn(letter.charCodeAt(0), mask));
  return Array.from({ length }, (_, at) => usable[(at * 7 + seed * 5 + Math.floor(at / usable.length)) % usable.length])
    .join("")
    .replace(/[-_.~+/=]$/, (last) => usable.find((letter) => /[a-zA-Z0-9]/.test(letter)) ?? last);
}

/** Letters and digits. */
export function alnum(length: number, seed = 0): string {
  return lettersOf(7, length, seed);
}

export function hex(length: number, seed = 0): string {
  return lettersOf(2048, length, seed);
}

export function jwt(seed = 0): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return [part({ alg: "HS256", typ: "JWT" }), part({ sub: `user-${seed}`, iat: 1516239022 }), alnum(43, seed)].join(
    ".",
  );
}

/** A block as `openssl` writes it, with lines joined by `eol`. */
export function keyBlock(label = "RSA PRIVATE KEY", eol = "\n"): string {
  const lines = [0, 1, 2].map((seed) => alnum(64, seed));
  return [`-----BEGIN ${label}-----`, ...lines, `${alnum(22, 3)}==`, `-----END ${label}-----`].join(eol);
}
