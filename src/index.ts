// The extension's entry: hands Pi to the wiring, nothing else.

import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { wire } from "./pi/wire.ts";

export default function piA2a(pi: ExtensionAPI): void {
  wire(pi);
}
