// Owns the uris of the extensions that this package speaks (A2A 1.0 §4.6).

/** Our own: usage of tasks, and chains of agents. */
export const OWN_EXTENSION = "urn:pi-a2a:ext:v1";
/** Facts about a Pi session; sessions of earlier versions know only this one. */
export const SESSION_EXTENSION = "https://bacnh85.dev/a2a/extensions/pi-session/v1";
