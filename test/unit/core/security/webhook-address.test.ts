import assert from "node:assert/strict";
import { webhookProblem } from "../../../../src/core/security/webhook-address.ts";

describe("addresses of webhooks", () => {
  const cases: [url: string, strict: RegExp | undefined, lax: RegExp | undefined][] = [
    ["https://hooks.example.com/a?b=c", undefined, undefined],
    ["https://203.0.113.5:8443/", undefined, undefined],
    ["HTTPS://[2606:4700::1111]/", undefined, undefined],
    ["http://hooks.example.com/", /plain http/, undefined],
    ["http://127.0.0.1:9000/", /loopback/, undefined],
    ["https://localhost/", /loopback/, undefined],
    ["https://localhost./", /loopback/, undefined],
    ["https://0x7f000001/", /loopback/, undefined],
    ["https://[::ffff:7f00:1]/", /loopback/, undefined],
    ["https://10.0.0.1/", /private/, undefined],
    ["https://0.0.0.0/", /private/, undefined],
    ["https://[fd00::1]/", /private/, undefined],
    ["https://169.254.169.254/", /link-local/, /link-local/],
    ["http://[fe80::1]/", /link-local/, /link-local/],
    ["https://user@hooks.example.com/", /user and password/, /user and password/],
    ["https://:pw@hooks.example.com/", /user and password/, /user and password/],
    ["file:///etc/passwd", /https URL/, /https URL/],
    ["javascript:alert(1)", /https URL/, /https URL/],
    ["//hooks.example.com/", /https URL/, /https URL/],
    ["", /https URL/, /https URL/],
  ];
  for (const [url, strict, lax] of cases) {
    it(`judges ${JSON.stringify(url)}`, () => {
      for (const [problem, expected] of [
        [webhookProblem(url, false), strict],
        [webhookProblem(url, true), lax],
      ] as const) {
        if (expected === undefined) assert.equal(problem, undefined);
        else assert.match(problem ?? "none", expected);
      }
    });
  }

  it("names the setting and the variable that would allow it", () => {
    for (const url of ["http://hooks.example.com/", "https://127.0.0.1/", "https://10.0.0.1/"]) {
      assert.match(webhookProblem(url, false) ?? "", /a2a\.server\.pushAllowInsecure or A2A_PUSH_ALLOW_INSECURE/);
    }
  });
});
