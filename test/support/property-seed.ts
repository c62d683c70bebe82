// Gives every property test of a run the same cases each time, so that the gate is red for a change and never by chance. Another seed
// explores: PI_A2A_SEED=<number>, or PI_A2A_SEED=random, which prints the one it took.

import { randomInt } from "node:crypto";
import * as fc from "fast-check";

const wanted = process.env.PI_A2A_SEED;
const seed = wanted === "random" ? randomInt(2 ** 31) : Number(wanted ?? 1);
if (!Number.isSafeInteger(seed)) throw new TypeError(`PI_A2A_SEED is ${wanted}, not a whole number or "random".`);
if (wanted !== undefined) process.stdout.write(`property tests: PI_A2A_SEED=${seed}\n`);
fc.configureGlobal({ seed });
