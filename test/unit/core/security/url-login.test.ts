import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { hideLogin } from "../../../../src/core/security/url-login.ts";

describe("showing a URL", () => {
  const LOGINS = [
    "http://user:pw@host:81/x",
    "http://pw@host/",
    "ftp://user:pw@host",
    "http://user:p/w@host/",
    "http://user:pw@",
    "http://user:p@pw@host/",
    "http:\\\\user:pw@host",
    "user:pw@host:9910",
    "http:user:pw@host",
  ];
  for (const text of LOGINS) {
    it(`hides the login of ${text}`, () => {
      const shown = hideLogin(text);
      assert.doesNotMatch(shown, /pw|user|p\/w/);
      assert.match(shown, /\*\*\*@/);
    });
  }

  it("leaves everything else as it is", () => {
    for (const text of ["http://host/@scope/x?q=a@b", "researcher", "me@work", "host:9910", "http://", ""]) {
      assert.equal(hideLogin(text), text);
    }
  });
});
