// Owns which warnings about settings the person has read: each text is shown once in a session.

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { SettingsWarning } from "../../core/config/settings.ts";
import { showText } from "./show-text.ts";

export interface SettingsWarnings {
  /** Shows those that this session has not shown yet. */
  show(ctx: Pick<ExtensionContext, "hasUI" | "ui">, warnings: readonly SettingsWarning[]): void;
  /** The session ends: the next one shows them all again. */
  forget(): void;
}

export function createSettingsWarnings(): SettingsWarnings {
  const shown = new Set<string>();
  return {
    show(ctx, warnings) {
      const fresh = new Set(warnings.map(({ text }) => text).filter((text) => !shown.has(text)));
      if (fresh.size === 0) return;
      for (const text of fresh) shown.add(text);
      showText(
        ctx,
        ["A2A settings that were not taken:", ...[...fresh].map((text) => `- ${text}`)].join("\n"),
        "warning",
      );
    },
    forget: () => shown.clear(),
  };
}
