// Owns what one use of a2a_discover does: reads the card and says what it means for a caller.

import { discoveryText } from "../text/discovery-text.ts";
import type { ToolAnswer, ToolDeps, ToolUse } from "./tool-deps.ts";

export async function useDiscover(
  deps: ToolDeps,
  { params, signal }: ToolUse<{ readonly url: string }>,
): Promise<ToolAnswer<{ readonly url: string }>> {
  const client = await deps.client();
  const found = await client.discover(params.url, { typed: false, ...(signal === undefined ? {} : { signal }) });
  return { content: [{ type: "text", text: discoveryText(found) }], details: { url: found.cardUrl } };
}
