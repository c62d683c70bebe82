// Owns whether what stands behind an announcing name is a secret, or code, a word, a reference to one kept elsewhere. Pure; looks
// at the first letters only.

import type { Announced, Asked } from "./names.ts";

const LOOKED_AT = 128;

/** Values that stand for a value. */
const STAND_INS = new Set(
  (
    "string number boolean object bytes buffer null nil none undefined true false void never unknown any required optional missing invalid " +
    "empty default example sample placeholder changeme redacted hidden masked secret password passwd pass passphrase token apikey username text email " +
    "weak strong incorrect expired disabled enabled plain bcrypt argon2 argon2id scrypt pbkdf2 sha256 sha512 hs256 rs256 es256 base64 base64url"
  ).split(" "),
);
/** `$NAME`, `${…}`, `%NAME%`, `{{…}}`, `<name>`, `***`, and the addresses of secret stores. */
const REFERENCE =
  /^(?:\$[A-Za-z_({]|%[A-Za-z_]{1,64}%|\{|<|\[|\(|!(?:vault|secret|env|ref|sub|getatt)|@microsoft|-----|\/\/|https?:|file:|env:|op:|vault:|ref\+|arn:|secret:|projects\/|process\.|os\.|env\.|config\.|settings\.|self\.|this\.|import\.)/i;
const TEMPLATE = /\$\{|\{\{|#\{|%\(|\[redacted/;
const MASKED = /^(?:[x*.\u2022-]{3,}|(?:your|insert|enter|replace|dummy|fake)(?:[-_].*)?)$/i;
/** Names of algorithms and formats bring digits into words. */
const TECHNICAL =
  /(?:sha|md|aes|rsa|utf|base|hs|rs|es|ps|hmac|x|ed|oauth|http|ipv|v|web|e2e|k8s|s3|ec2|i18n|p|curve)\d{1,5}/gi;
const CODE = /[({[]|=>|->|::|\)\.|\?\./;
const NAME = /^[A-Za-z_$][A-Za-z_$-]*\d{0,2}$/;

/** `closed`: the value stands in quotation marks that end right behind it. */
export function isSecretValue({ what, environment }: Asked, text: string, quoted: boolean, closed: boolean): boolean {
  const value = (quoted ? text : withoutPunctuation(text)).slice(0, LOOKED_AT);
  if (value.length < 4 || standsForAnother(value)) return false;
  if (what === "basic") return isBasic(value);
  if (!quoted && !environment && CODE.test(value)) return false;
  if (environment && (closed || !quoted)) return isEnvironmentSecret(what, value);
  return JUDGES[what](value, quoted && closed);
}

function standsForAnother(value: string): boolean {
  return STAND_INS.has(value.toLowerCase()) || REFERENCE.test(value) || TEMPLATE.test(value) || MASKED.test(value);
}

type Judge = (value: string, literal: boolean) => boolean;

const JUDGES: Readonly<Record<Announced, Judge>> = {
  password: isPassword,
  login: isPassword,
  secret: isSecret,
  authorization: isSecret,
  bearer: (value) => value.length >= 12 && isSecret(value),
  key: (value) => value.length >= 20 && isSecret(value) && !/^[0-9a-f]+$/i.test(value),
  signature: (value) => value.length >= 32 && isSecret(value),
  basic: isBasic,
};

/** Trailing punctuation belongs to the sentence. */
export function withoutPunctuation(value: string): string {
  let end = value.length;
  while (end > 0 && ".,;:!?".includes(value[end - 1] ?? " ")) end--;
  return value.slice(0, end);
}

/** Without quotation marks a word is a word; in them a small one is taken for what it says it is. */
function isPassword(value: string, literal: boolean): boolean {
  if (literal && /^[a-z]{5,}$/.test(value)) return true;
  if (value.length < (literal ? 4 : 6)) return false;
  if (/^\d+$/.test(value)) return true;
  if (!/[A-Za-z]/.test(value)) return false;
  if (isPath(value)) return false;
  if (/[!@#$%^*~?+]/.test(value)) return literal || /\d/.test(value);
  return /\d/.test(value) && (literal || !isNameOfSecret(value));
}

/** `password2`, `newToken1`: names of variables and not their values. */
function isNameOfSecret(value: string): boolean {
  return (
    value.includes(".") || /(?:pass|pwd|token|secret|arg|param|value|field|input|string|word)\d{0,2}$/i.test(value)
  );
}

function isSecret(value: string): boolean {
  if (value.length < 8 || isPath(value)) return false;
  if (/^\d+$/.test(value)) return value.length >= 12;
  const plain = value.replace(TECHNICAL, "");
  if (!/\d/.test(plain) || !/[A-Za-z]/.test(value)) return isUnbroken(value);
  return !value.split(/[./:]/).every((part) => NAME.test(part));
}

/** Letters alone are a secret when nobody writes words that way. */
function isUnbroken(value: string): boolean {
  return (
    value.length >= 24 && /^[A-Za-z0-9+/=]+$/.test(value) && /[A-Z]{2}[a-z]+[A-Z]{2}|[a-z][A-Z][a-z][A-Z]/.test(value)
  );
}

function isEnvironmentSecret(what: Announced, value: string): boolean {
  if (what === "password" || what === "login") return !isPath(value);
  if (what === "secret")
    return isSecret(value) || (!isPath(value) && (/\d/.test(value) || value.length >= 16) && value.length >= 6);
  return JUDGES[what](value, false);
}

function isPath(value: string): boolean {
  return /^(?:\.{0,2}|~)\//.test(value) ? value.length < 30 || value.includes(".") : /^[A-Za-z]:[\\/]/.test(value);
}

/** The letters behind `Basic` hold a name and a password with a colon between them. */
function isBasic(value: string): boolean {
  const end = value.search(/[^A-Za-z0-9+/=_-]/);
  const letters = end === -1 ? value : value.slice(0, end);
  if (letters.length < 6) return false;
  const decoded = Buffer.from(letters, "base64").toString("latin1");
  return /^[\x20-\x7e\xa0-\xff]*$/.test(decoded) && decoded.includes(":");
}
