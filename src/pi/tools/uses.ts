// What the tools do: everything that is loaded when the model uses one of them.

export { useCall } from "./use-call.ts";
export { useCancel } from "./use-cancel.ts";
export { useDiscover } from "./use-discover.ts";
export { useStatus } from "./use-status.ts";
