// Owns which names announce that a secret follows them: `DB_PASSWORD`, `"apiKey"`, `X-Auth-Token`.

/** How a value behind a name is judged: ./values.ts. */
export type Announced = "password" | "secret" | "key" | "authorization" | "signature" | "bearer" | "basic" | "login";

export interface Asked {
  readonly what: Announced;
  /** `NAME=value` as in an environment file: then nearly every value is one. */
  readonly environment: boolean;
}

const PASSWORDS = ["password", "passwd", "passphrase", "pwd", "passcode"];

const SECRETS = [
  "secret",
  "token",
  "apikey",
  "accesskey",
  "secretkey",
  "privatekey",
  "signingkey",
  "encryptionkey",
  "masterkey",
  "accountkey",
  "authkey",
  "appkey",
  "applicationkey",
  "licensekey",
  "subscriptionkey",
  "ingestkey",
  "ingestionkey",
  "hmackey",
  "webhookkey",
  "credential",
  "credentials",
];

/** Names that end like secrets and are none: places in lists, signals, vocabulary of models and parsers. */
const HARMLESS =
  /(?:page|next|prev|previous|continuation|sync|cancellation|cancel|stop|abort|start|end|begin|eos|bos|pad|unk|sep|mask|first|last|per|max|min|input|output|public|cache)token$/;
const HARMLESS_KEY =
  /(?:^|_)(?:PUBLIC|CACHE|SORT|PRIMARY|FOREIGN|PARTITION|HASH|REGISTRY|GROUP|OBJECT|IDEMPOTENCY)_KEY$/;
const ENVIRONMENT = /^[A-Z][A-Z0-9_]*$/;

/** Undefined for a name that announces nothing. `sign` is what stands behind the name. */
export function announcedBy(name: string, sign: string): Asked | undefined {
  const plain = name.toLowerCase().replace(/[_.-]/g, "");
  if (plain.length < 3) return undefined;
  const environment = sign === "=" && ENVIRONMENT.test(name);
  const what = kindOf(name, plain);
  return what === undefined ? undefined : { what, environment };
}

function kindOf(name: string, plain: string): Announced | undefined {
  if (PASSWORDS.some((end) => plain.endsWith(end)) || isPass(name)) return "password";
  if (HARMLESS.test(plain)) return undefined;
  if (SECRETS.some((end) => plain.endsWith(end)) || /(?:^|_)PAT$/.test(name)) return "secret";
  if (plain.endsWith("authorization") || plain === "auth") return "authorization";
  if (/(?:^|-)(?:sig|signature)$/i.test(name)) return "signature";
  return /_KEY$/.test(name) && !HARMLESS_KEY.test(name) ? "key" : undefined;
}

/** `DB_PASS` and `dbPass`, but not `bypass`. */
function isPass(name: string): boolean {
  return /(?:^|[_.-])pass$/i.test(name) || /[a-z]Pass$/.test(name);
}
