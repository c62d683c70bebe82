// Ids that count, so tests can say which id comes next: the first task is task-0000000000000001.

import type { Ids } from "../../src/core/platform/ids.ts";

/** Each kind of id has its own counter, from 1, in the same shape that the random ids have. */
export function createCountIds(): Ids {
  return {
    task: counter((n) => `task-${hex(n, 16)}`),
    context: counter((n) => `ctx-${hex(n, 16)}`),
    message: counter((n) => `00000000-0000-4000-8000-${hex(n, 12)}`),
    token: counter((n) => hex(n, 16)),
    span: counter((n) => hex(n, 16)),
  };
}

function counter(format: (n: number) => string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return format(count);
  };
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
