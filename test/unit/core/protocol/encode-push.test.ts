import assert from "node:assert/strict";
import { encodePushConfig, encodePushConfigPage } from "../../../../src/core/protocol/encode-push.ts";

const CONFIG = { taskId: "t", id: "c", url: "https://hooks.example.com/" };

describe("encoding push configs", () => {
  it("writes everything but the credentials (P04)", () => {
    const authentication = { scheme: "Bearer", credentials: "s3cret" };
    assert.deepEqual(encodePushConfig({ ...CONFIG, token: "opaque", authentication }), {
      ...CONFIG,
      token: "opaque",
      authentication: { scheme: "Bearer" },
    });
    assert.deepEqual(encodePushConfig(CONFIG), CONFIG);
  });

  it("always writes the list, and a token only when more follows", () => {
    assert.deepEqual(encodePushConfigPage({ configs: [] }), { configs: [] });
    assert.deepEqual(encodePushConfigPage({ configs: [CONFIG], nextPageToken: "p" }), {
      configs: [CONFIG],
      nextPageToken: "p",
    });
  });
});
