// Owns /a2a-discover <url or host>.

import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import { A2aError } from "../../core/platform/errors.ts";
import { oneLine } from "../../core/security/sanitize.ts";
import { hideLogin } from "../../core/security/url-login.ts";
import { discoveryText } from "../text/discovery-text.ts";
import { withLoader } from "../ui/loader.ts";
import { showText } from "../ui/show-text.ts";
import type { CommandDeps } from "./command-deps.ts";
import { firstWord } from "./words.ts";

export async function runDiscover(deps: CommandDeps, args: string, ctx: ExtensionCommandContext): Promise<void> {
  const { word: target, rest } = firstWord(args);
  if (target === "" || rest !== "") {
    throw new A2aError("INVALID_PARAMS", "Usage: /a2a-discover <url or host>", {
      hint: "For example http://127.0.0.1:9910, or localhost",
    });
  }
  const client = await deps.client();
  const found = await withLoader(ctx, `Reading the card of ${oneLine(hideLogin(target), 60)} (Esc cancels)`, (signal) =>
    client.discover(target, { typed: true, ...(signal === undefined ? {} : { signal }) }),
  );
  showText(ctx, discoveryText(found));
}
