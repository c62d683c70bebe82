// What is kept of a reply that brought nothing beside a short text.

import type { KeptReply } from "../../src/pi/files/reply-store.ts";

export const NOTHING_KEPT: KeptReply = { received: { parts: [], dropped: 0 } };
