import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import { abortable } from "../../../../src/pi/child/abortable.ts";

const never = (): Promise<never> => new Promise(() => undefined);

describe("abortable", () => {
  it("gives the result, or the failure, and leaves no listener", async () => {
    const { signal } = new AbortController();
    assert.equal(await abortable(Promise.resolve(1), signal), 1);
    await assert.rejects(abortable(Promise.reject(new Error("no")), signal), /no/);
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  it("ends as soon as the signal aborts, also when it did before", async () => {
    const abort = new AbortController();
    const waiting = abortable(never(), abort.signal);
    abort.abort();
    await assert.rejects(waiting, (error) => isA2aError(error, "CANCELLED"));
    await assert.rejects(abortable(never(), abort.signal), (error) => isA2aError(error, "CANCELLED"));
  });
});
