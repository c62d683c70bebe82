import assert from "node:assert/strict";
import { toolOptions } from "../../../../src/pi/child/tool-limits.ts";

const OWN = ["a2a_ask_caller", "a2a_attach"];

describe("the tools of a child", () => {
  it("are not limited when the host's are not", () => {
    assert.deepEqual(toolOptions({}, OWN), {});
  });

  it("are those that the host was started with, and the child's own", () => {
    assert.deepEqual(toolOptions({ only: ["read"] }, OWN), { tools: ["read", ...OWN] });
  });

  it("are the child's own alone when the host has none, servers of tools included", () => {
    assert.deepEqual(toolOptions({ none: "all" }, OWN), { tools: [...OWN, "mcp__"], noTools: "all" });
    assert.deepEqual(toolOptions({ only: [] }, OWN), { tools: [...OWN, "mcp__"] });
  });

  it("lack Pi's own when the host's do, and what the host excludes", () => {
    assert.deepEqual(toolOptions({ none: "builtin", without: ["probe"] }, OWN), {
      noTools: "builtin",
      excludeTools: ["probe"],
    });
  });

  it("follow an allow-list also beside the wish for none, as the host does", () => {
    assert.deepEqual(toolOptions({ only: ["read"], none: "all" }, []), { tools: ["read"], noTools: "all" });
  });

  it("are changed as the host's are: names with a sign stand among names with a sign", () => {
    assert.deepEqual(toolOptions({ only: ["+grep", "-bash"] }, OWN), {
      tools: ["+grep", "-bash", "+a2a_ask_caller", "+a2a_attach"],
    });
  });
});
