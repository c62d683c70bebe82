// The settings as the rest of the package reads them: every value checked, every default filled in, frozen. Types only.
// The table they come from is ./schema.ts; names and units are those that users type.

export interface PeerSettings {
  readonly url: string;
  /** Seconds for one whole call; absent = timeouts.send. */
  readonly timeout?: number;
}

export interface ServerSettings {
  readonly enabled: boolean;
  readonly port: number;
  readonly portFallback: number;
  /** Absolute folder, or "" for the host session's folder. */
  readonly workspace: string;
  /** Name on the agent card; "" = the machine's host name. */
  readonly agentName: string;
  readonly maxConcurrent: number;
  /** Seconds; 0 = no limit. */
  readonly replyTimeoutSec: number;
  /** Seconds; 0 = no limit. */
  readonly asyncTimeoutSec: number;
  /** Keep a session file of each inbound task; false = children in memory only. */
  readonly childTranscripts: boolean;
  /** Days until a transcript is deleted when the server starts; 0 = keep for ever. */
  readonly childTranscriptRetentionDays: number;
}

export interface TimeoutSettings {
  /** Milliseconds for a whole outbound call. */
  readonly send: number;
  /** Milliseconds between two polls of a detached task. */
  readonly async: number;
  /** Milliseconds of silence on a stream. */
  readonly stream: number;
}

export interface Settings {
  readonly server: ServerSettings;
  readonly peers: Readonly<Record<string, PeerSettings>>;
  readonly timeouts: TimeoutSettings;
  readonly discovery: {
    /** Tell callers on this machine the folder, model and tools of the session. */
    readonly enrichCard: boolean;
  };
  readonly ui: { readonly transcript: boolean };
}

/** A value that was not taken, with its place and what is used instead; one line for people. */
export interface SettingsWarning {
  /** File path, or `environment`. */
  readonly source: string;
  readonly key: string;
  readonly text: string;
}

export interface LoadedSettings {
  readonly settings: Settings;
  readonly warnings: readonly SettingsWarning[];
}
