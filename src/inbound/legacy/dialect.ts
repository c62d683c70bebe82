// Decides which older wire a call by a slash name speaks (DESIGN: Wire): 0.3 where the header or the message says so, else as the task
// was made, else as older pi-a2a sessions do.

import { isV03Message } from "../../core/protocol/decode-legacy-params.ts";
import type { LegacyDialect, Task } from "../../core/protocol/types.ts";
import type { WireVersion } from "../version.ts";

/** Of a call that carries a message. */
export function dialectOfMessage(params: unknown, spoken: WireVersion | undefined): LegacyDialect {
  return spoken === "0.3" || isV03Message(params) ? "0.3" : "pi";
}

/** Of a call about a task. `named` is the dialect that alone knows the method's name. */
export function dialectOfTask(
  { dialect }: Task,
  spoken: WireVersion | undefined,
  named: LegacyDialect = "pi",
): LegacyDialect {
  return spoken === "0.3" ? "0.3" : (dialect ?? named);
}
