// What a child session takes over from the live session of the host. Types only; ./live-host.ts reads the values. They are
// read again for every child, since /new, /resume and /reload put other objects in their place.

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { ToolLimits } from "./launch-args.ts";

export interface HostSession {
  readonly cwd: string;
  readonly agentDir: string;
  readonly model: ExtensionContext["model"];
  readonly thinkingLevel: ReturnType<ExtensionAPI["getThinkingLevel"]>;
  readonly modelRegistry: ExtensionContext["modelRegistry"];
  /** The -e paths of the host's command line: absolute paths, or package sources. */
  readonly extensionPaths: readonly string[];
  /** False when the host was started without looking for extensions (-ne). */
  readonly discoverExtensions: boolean;
  /** The tools that the host's command line leaves to it. */
  readonly tools: ToolLimits;
  /** The folder of this package's package.json; the package's own code is never loaded into a child. */
  readonly ownPackageDir: string;
  /** Whether the project's own settings and extensions may be loaded; always true where the host knows no trust. */
  readonly projectTrusted: boolean;
}

export interface HostPort {
  /** The live session, or the last one while the host replaces it; undefined before the first. */
  current(): HostSession | undefined;
}
