// Texts with secrets in them and without, for the tests of redaction. `secret` is what must not come out.

import { alnum, hex, jwt, keyBlock } from "./fake-keys.ts";

export interface Sample {
  readonly what: string;
  readonly text: string;
  readonly redacted: string;
}

/** Begins what a shell or a template fills in. */
const D = "$";
const GITHUB = `ghp_${alnum(36)}`;
const OPENAI = `sk-test-${alnum(20)}`;
const VALUE = ["abcd", "1234", "efgh", "5678"].join("");
const PASSWORD = "hunter2".repeat(2);
const BLOCK = keyBlock();

/** Where and how secrets come; X08 and X10 name the places that others missed. */
export const SECRETS: readonly Sample[] = [
  sample("a key in a sentence", `The key is ${GITHUB}.`, "The key is [redacted: github token]."),
  sample("a variable on a diff line", `+DB_PASSWORD=${PASSWORD}`, "+DB_PASSWORD=[redacted: password]"),
  sample("a field on a diff line", `-  api_key: "${VALUE}"`, '-  api_key: "[redacted: secret]"'),
  sample("a coloured key", `\u001b[32m${GITHUB}\u001b[0m`, "\u001b[32m[redacted: github token]\u001b[0m"),
  sample(
    "a colour before a value",
    `token: \u001b[1;33m${VALUE}\u001b[0m`,
    "token: \u001b[1;33m[redacted: secret]\u001b[0m",
  ),
  sample(
    "a colour that is spelled",
    `"\\u001b[32m${GITHUB}\\u001b[0m"`,
    '"\\u001b[32m[redacted: github token]\\u001b[0m"',
  ),
  sample("a key over two lines", `a ${GITHUB.slice(0, 20)}\n${GITHUB.slice(20)} b`, "a [redacted: github token] b"),
  sample("and with an indentation", `${GITHUB.slice(0, 9)}\r\n    ${GITHUB.slice(9)}.`, "[redacted: github token]."),
  sample(
    "a long key over two lines",
    `sk-ant-${alnum(60)}\n${alnum(30, 1)}\nafter`,
    "[redacted: anthropic key]\n\nafter",
  ),
  sample("JSON", `{"a":1,"password":"${PASSWORD}","b":2}`, '{"a":1,"password":"[redacted: password]","b":2}'),
  sample(
    "JSON inside a string",
    JSON.stringify({ a: JSON.stringify({ token: VALUE, b: 2 }) }),
    JSON.stringify({ a: JSON.stringify({ token: "[redacted: secret]", b: 2 }) }),
  ),
  sample(
    "JSON inside a string inside a string",
    JSON.stringify(JSON.stringify({ a: JSON.stringify({ secret: `${VALUE}"x` }) })),
    JSON.stringify(JSON.stringify({ a: JSON.stringify({ secret: "[redacted: secret]" }) })),
  ),
  sample("YAML", `db:\n  password: ${PASSWORD}\n  host: x`, "db:\n  password: [redacted: password]\n  host: x"),
  sample("XML", `<password>${PASSWORD}</password>`, "<password>[redacted: password]</password>"),
  sample("code", `const apiKey = "${VALUE}";`, 'const apiKey = "[redacted: secret]";'),
  sample("code with a type", `password: str = "${PASSWORD}"`, 'password: str = "[redacted: password]"'),
  sample("a subscript", `config["password"] = '${PASSWORD}'`, "config[\"password\"] = '[redacted: password]'"),
  sample("a quoted word", 'password: "swordfish"', 'password: "[redacted: password]"'),
  sample("quotes with blanks", `password="${PASSWORD} and more" x`, 'password="[redacted: password]" x'),
  sample("a quoted variable", "export API_TOKEN='Blue-Whale-77'", "export API_TOKEN='[redacted: secret]'"),
  sample("an option", `run --token ${VALUE} --user x`, "run --token [redacted: secret] --user x"),
  sample("curl", `curl -u admin:${PASSWORD} x`, "curl -u admin:[redacted: password] x"),
  sample("a query", `https://x.test/?a=1&api_key=${VALUE}&b=2`, "https://x.test/?a=1&api_key=[redacted: secret]&b=2"),
  sample("full-width signs", `password\uff1a${PASSWORD}`, "password\uff1a[redacted: password]"),
  sample("a header", `Authorization: Bearer ${alnum(30)}`, "Authorization: Bearer [redacted: access token]"),
  sample(
    "its own scheme",
    `"Authorization": "ApiKey ${alnum(30)}"`,
    '"Authorization": "ApiKey [redacted: access token]"',
  ),
  sample("Basic", `authorization: basic ${btoa(`bob:${PASSWORD}`)}`, "authorization: basic [redacted: login]"),
  sample("a login", `https://bob:${PASSWORD}@x.test/a`, "https://bob:[redacted: url password]@x.test/a"),
  sample("a login with signs", `postgres://u:p@${PASSWORD}:1@h/db`, "postgres://u:[redacted: url password]@h/db"),
  sample(
    "a Sentry address",
    `https://${hex(32)}@o1.ingest.sentry.io/2`,
    "https://[redacted: sentry dsn]@o1.ingest.sentry.io/2",
  ),
  sample("a JSON web token", `jwt=${jwt()};`, "jwt=[redacted: json web token];"),
  sample(
    "an AWS secret",
    `aws_secret_access_key = ${alnum(19)}/${alnum(20)}`,
    "aws_secret_access_key = [redacted: secret]",
  ),
  sample("an Azure connection", `;AccountKey=${alnum(86)}==;X=1`, ";AccountKey=[redacted: secret];X=1"),
  sample("an npm login", `//registry.test/:_authToken=${VALUE}`, "//registry.test/:_authToken=[redacted: secret]"),
  sample(
    "a failure of a provider (X10)",
    `401 from provider: key ${OPENAI} rejected`,
    "401 from provider: key [redacted: openai key] rejected",
  ),
  sample("a key block", `${BLOCK}\nafter`, "[redacted: private key]\nafter"),
  sample("a key block of PGP", `x ${keyBlock("PGP PRIVATE KEY BLOCK")} y`, "x [redacted: private key] y"),
  sample("a key block in JSON", JSON.stringify({ k: `${BLOCK}\n` }), '{"k":"[redacted: private key]\\n"}'),
  sample("a key block on diff lines", `+${BLOCK.replaceAll("\n", "\n+")}\n+after`, "+[redacted: private key]\n+after"),
  sample(
    "a key block with line numbers",
    BLOCK.split("\n")
      .map((line, at) => `${at} ${line}`)
      .join("\n"),
    "0 [redacted: private key]",
  ),
  sample("a coloured key block", BLOCK.replaceAll("\n", "\u001b[m\n\u001b[32m"), "[redacted: private key]"),
  sample(
    "a key block with headers",
    BLOCK.replace("\n", "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB01\n\n"),
    "[redacted: private key]",
  ),
  sample("a key block on one line", `a ${BLOCK.replaceAll("\n", " ")} b`, "a [redacted: private key] b"),
  sample(
    "a key block without end",
    `${BLOCK.slice(0, 150)}\n\nThat was it.`,
    "[redacted: private key]\n\nThat was it.",
  ),
  sample("a mail address", "Write to alice.b+c@mail.example.com.", "Write to [redacted: mail address]."),
  sample("a mail address in JSON data", '{"mail":"bob@example.org"}', '{"mail":"[redacted: mail address]"}'),
  sample("a mail address with a name", "Bob <bob@example.org> said", "Bob <[redacted: mail address]> said"),
  sample(
    "several",
    `${GITHUB},${GITHUB};bob@example.org ${PASSWORD}`,
    `[redacted: github token],[redacted: github token];[redacted: mail address] ${PASSWORD}`,
  ),
];

/** X07: what redaction must not touch, and more of the kind. */
export const HARMLESS: readonly string[] = [
  `commit ${hex(40)}\nAuthor: Ann Lee <ann@example.com>\nDate:   Mon Nov 30 2026\n\n    fix: x\n\n    Signed-off-by: Ann Lee <ann@example.com>\n`,
  `${hex(7)} ${hex(40)} ${hex(64)} sha256:${hex(64)} md5 ${hex(32)}`,
  "550e8400-e29b-41d4-a716-446655440000, task-0123456789abcdef in ctx-fedcba9876543210 (log id 1a2b3c4d)",
  `"integrity": "sha512-${alnum(43)}/${alnum(42)}==", "resolved": "https://registry.test/a/-/a-1.2.3.tgz"`,
  'headers: { Authorization: "Bearer " + token }',
  `headers: { "Authorization": "Bearer ${D}{token}", "X-Api-Key": process.env.API_KEY }`,
  `fetch(url, { headers: { authorization: \`Bearer ${D}{await getToken()}\` } })`,
  "curl -H 'Authorization: Bearer <your token>' -H \"X-Api-Key: $API_KEY\" https://x.test",
  `<img src="data:image/png;base64,iVBORw0KGgo${alnum(300)}==">`,
  `icon: ${Buffer.from(alnum(45)).toString("base64")}`,
  "password: string; token?: string; secret = undefined; apiKey: z.string().min(8), passwd = input()",
  "def login(user: str, password: str, token: str = None) -> bool: return check(password, token)",
  "const password = await prompt('Password: '); const token = createToken(user.id); secret := os.Getenv(\"SECRET\")",
  'if (token === "access_token" || type === "password") { keyword = "token"; }',
  '<input type="password" name="password" placeholder="Your password" autocomplete="current-password">',
  '"password": "Passwort", "token": "Zugangstoken", "password": "required", "secret": "optional"',
  `API_KEY=<your key>\nDB_PASSWORD=${D}{DB_PASSWORD}\nTOKEN=$(cat token.txt)\nSECRET=changeme\nPASSWORD=********\n`,
  "max_tokens: 4096, total_tokens=18233, token_count: 12, nextPageToken: AbCd1234EfGh, tokens/s: 53.5",
  "Basic information about the bearer of this note; bearer tokens; basic auth; the secret: be kind; token budget 3",
  "The password is stored as a hash. Your token: please keep it. Reset your password: see docs/setup2.md",
  "disk-0123456789abcdef0 risk-assessment-of-2026-q3 sk-fading-circle sk-cube-grid .sk-chase-dot { }",
  "git clone git@github.com:a/b.git; scp a deploy@host.example.com:/srv/b; ssh://git@host.example.com/x",
  "npm i lodash@4.17.21 @scope/pkg@1.0.0 actions/checkout@v4.1.0 logo@2x.png user@localhost @decorator.x",
  "```js\nmail('ann@example.com')\n```\nand `bob@example.org` too",
  "send(\"ann@example.com\", to='bob@example.org')",
  '{\n  "name": "x",\n  "author": "Ann Lee <ann@example.com>",\n  "bugs": {\n    "email": "bugs@example.com"\n  }\n}',
  'authors = ["Ann Lee <ann@example.com>"]\n',
  "authors:\n  - name: Ann\n    email: ann@example.com\n",
  "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI x",
  "A file begins with `-----BEGIN PRIVATE KEY-----` and ends with `-----END PRIVATE KEY-----`.",
  "The line -----BEGIN RSA PRIVATE KEY----- was not there.\n\nNothing else was.",
  "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n",
  `https://user@host.example/x http://[::1]:9910/ https://x.test/a:b@c/d postgres://app:${D}{PASS}@db/x`,
  "pages 10-20, 2026-11-30T12:00:00.000Z, 192.168.0.1:8080, v1.2.3-beta.4+build.5, 1234567890:ABC",
  "中文没有空格的一段话，密码学很有趣。日本語も同じです。😀 Füße, naïve, ÀÉÎ",
  "eyJust kidding, eyJhbGc; ghp_ sk- AKIA hf_ npm_ install; key-value; SG.1; the xai- prefix",
  "",
  "\n\n\t  \r\n",
];

function sample(what: string, text: string, redacted: string): Sample {
  return { what, text, redacted };
}
