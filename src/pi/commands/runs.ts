// What the slash commands do: everything that is loaded when one of them runs.

export { runCancel } from "./cancel.ts";
export { runDiscover } from "./discover.ts";
export { runHelp } from "./help.ts";
export { runSend } from "./send.ts";
export { runServer } from "./server.ts";
export { runStatus } from "./status.ts";
