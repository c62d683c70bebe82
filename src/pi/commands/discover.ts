// Owns /a2a-discover <url or host>.

import type { RegisteredCommand } from "@mariozechner/pi-coding-agent";
import { A2aError } from "../../core/platform/errors.ts";
import { oneLine } from "../../core/security/sanitize.ts";
import { hideLogin } from "../../core/security/url-login.ts";
import { guardCommand } from "../guard.ts";
import { discoveryText } from "../text/discovery-text.ts";
import { withLoader } from "../ui/loader.ts";
import { showText } from "../ui/show-text.ts";
import type { CommandDeps } from "./command-deps.ts";
import { completePeers, firstWord } from "./words.ts";

export function discoverCommand(deps: CommandDeps): Omit<RegisteredCommand, "name" | "sourceInfo"> {
  return {
    description: "Fetch an agent's card: /a2a-discover <url or host>",
    getArgumentCompletions: (typed) => completePeers(typed, deps.peerNames(), ""),
    handler: guardCommand(deps.log, "a2a-discover", async (args, ctx) => {
      const { word: target, rest } = firstWord(args);
      if (target === "" || rest !== "") {
        throw new A2aError("INVALID_PARAMS", "Usage: /a2a-discover <url or host>", {
          hint: "For example http://127.0.0.1:9910, or localhost",
        });
      }
      const client = await deps.client();
      const found = await withLoader(
        ctx,
        `Reading the card of ${oneLine(hideLogin(target), 60)} (Esc cancels)`,
        (signal) => client.discover(target, { typed: true, ...(signal === undefined ? {} : { signal }) }),
      );
      showText(ctx, discoveryText(found));
    }),
  };
}
