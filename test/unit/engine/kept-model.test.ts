// A few stories of test/support/kept-model.ts; `npm run test:slow` plays many more.

import { playKept } from "../../support/kept-commands.ts";

describe("engine and journal against their model", () => {
  it("lose no acknowledged task, settle each once and run nothing twice, over any restarts (S11, S12, S17, L11)", () =>
    playKept(40, 60_000)).timeout(120_000);
});
