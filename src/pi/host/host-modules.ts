// The host's modules as values, for the built form of this package: it is loaded as plain JavaScript, whose imports the host does
// not map, so it takes from here whatever the sources import by these names.

import * as PiCodingAgent from "@mariozechner/pi-coding-agent";
import * as PiTui from "@mariozechner/pi-tui";
import * as Typebox from "@sinclair/typebox";

export const hostModules = {
  "@mariozechner/pi-coding-agent": PiCodingAgent,
  "@mariozechner/pi-tui": PiTui,
  "@sinclair/typebox": Typebox,
};
