// The frames of a stream as the tests compare them.

import assert from "node:assert/strict";
import type { Body, WireResult } from "../support/a2a-calls.ts";

/** The results of all events; fails on an error event. */
export function framesOf(events: readonly Body[]): WireResult[] {
  return events.map(({ result, error }) => {
    assert.ok(result !== undefined, JSON.stringify(error));
    return result;
  });
}

/** `task`, `message`, `artifact`, or the state that a status update announces. Fails on a frame without exactly one member. */
export function kindOf(frame: WireResult | undefined): string {
  const [member, ...others] = Object.keys(frame ?? {});
  assert.deepEqual(others, [], JSON.stringify(frame));
  if (member === "artifactUpdate") return "artifact";
  return frame?.statusUpdate?.status.state ?? member ?? "nothing";
}

export function kindsOf(events: readonly Body[]): string[] {
  return framesOf(events).map(kindOf);
}
