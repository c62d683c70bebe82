// Runs what must fail and gives its A2aError; anything else that is thrown, or nothing, fails the test.

import assert from "node:assert/strict";
import { type A2aError, type ErrorCode, isA2aError } from "../../src/core/platform/errors.ts";

/** The A2aError of this code that `run` throws. */
export function refusal(code: ErrorCode, run: () => unknown): A2aError {
  let result: unknown;
  try {
    result = run();
  } catch (error) {
    if (!isA2aError(error)) throw error;
    assert.equal(error.code, code, error.message);
    return error;
  }
  return assert.fail(`expected ${code}, got ${JSON.stringify(result)}`);
}
