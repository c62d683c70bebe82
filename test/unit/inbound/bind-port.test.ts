import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { bindPort } from "../../../src/inbound/bind-port.ts";

describe("bindPort", () => {
  it("says which address cannot be used, and tries no other port of it", async () => {
    // 192.0.2.0/24 is reserved for documentation; no machine has it.
    const binding = bindPort(createServer(), { host: "192.0.2.1", port: 9910, portFallback: 5 });
    await assert.rejects(binding, { code: "PORT_UNAVAILABLE", message: /192\.0\.2\.1:9910/ });
  });

  it("leaves no listener behind on the server", async () => {
    const server = createServer();
    assert.ok((await bindPort(server, { host: "127.0.0.1", port: 0, portFallback: 0 })) > 0);
    assert.equal(server.listenerCount("error"), 0);
    assert.equal(server.listenerCount("listening"), 0);
    await once(server.close(), "close");
  });
});
