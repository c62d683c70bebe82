// The methods by the slash names of A2A 0.3 and of older pi-a2a sessions, over the same operations as those of 1.0 (DESIGN: Wire).
// Each reads every older spelling, and answers in the one dialect that its caller speaks.

import { decodeTenantParams } from "../../core/protocol/decode-params.ts";
import { extendedCardOffered, type Method } from "../rpc-method.ts";
import { encodeHybridCard } from "./hybrid-card.ts";
import { PUSH_METHODS } from "./push-methods.ts";
import { SEND_METHODS } from "./send-methods.ts";
import { TASK_METHODS } from "./task-methods.ts";

export const LEGACY_METHODS: Readonly<Record<string, Method>> = {
  ...SEND_METHODS,
  ...TASK_METHODS,
  ...PUSH_METHODS,
  "agent/getAuthenticatedExtendedCard": {
    kind: "reply",
    requires: [extendedCardOffered],
    async run({ extendedCard }, params) {
      decodeTenantParams(params);
      return encodeHybridCard(extendedCard());
    },
  },
};
