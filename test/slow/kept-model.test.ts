// Many stories of test/support/kept-model.ts; with PI_A2A_SEED=random other ones each time.

import { playKept } from "../support/kept-commands.ts";

describe("engine and journal against their model, for long", () => {
  it("lose no acknowledged task, settle each once and run nothing twice, over any restarts", () =>
    playKept(1_000, 540_000)).timeout(600_000);
});
