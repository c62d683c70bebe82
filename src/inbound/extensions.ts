// Owns the extensions of A2A 1.0 §4.6 that this server knows: which ones the card lists, which ones a request activates, and the
// refusal of a caller that does not list a required one. Names it does not know are nobody's business here.

import { A2aError } from "../core/platform/errors.ts";
import { OWN_EXTENSION, SESSION_EXTENSION } from "../core/protocol/extension-uris.ts";
import type { AgentCard, AgentExtension, JsonObject } from "../core/protocol/types.ts";
import type { Features } from "./server-types.ts";

/** Details of the session as data on the card; known to earlier sessions under this name. */

/** What the card lists; `session` only for callers who may read it. */
export function cardExtensions(features: Features, session: JsonObject | undefined): readonly AgentExtension[] {
  const { requiredExtension } = features;
  return [
    { uri: OWN_EXTENSION, description: "Usage and call chains of pi-a2a." },
    ...(session === undefined
      ? []
      : [{ uri: SESSION_EXTENSION, description: "The Pi session behind this agent.", params: session }]),
    ...(requiredExtension === undefined ? [] : [{ uri: requiredExtension, required: true }]),
  ];
}

/** What a card says of the session behind the agent; undefined when it says nothing. */
export function sessionDetails({ capabilities }: AgentCard): JsonObject | undefined {
  return capabilities.extensions?.find(({ uri }) => uri === SESSION_EXTENSION)?.params;
}

/** Those of the listed uris that act on a request. */
export function activatedExtensions(listed: readonly string[], { requiredExtension }: Features): readonly string[] {
  return listed.filter((uri) => uri === OWN_EXTENSION || uri === requiredExtension);
}

/** Throws EXTENSION_REQUIRED when the caller does not list what the card requires. */
export function assertRequiredExtension(listed: readonly string[], { requiredExtension }: Features): void {
  if (requiredExtension === undefined || listed.includes(requiredExtension)) return;
  throw new A2aError("EXTENSION_REQUIRED", `the extension ${requiredExtension} is required and was not listed`, {
    hint: `Send the header A2A-Extensions: ${requiredExtension}`,
    metadata: { requiredExtension },
  });
}
