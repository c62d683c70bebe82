// What the process that makes the load is told, and what it has counted.

export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpLoad {
  /** `http://127.0.0.1:<port>/` */
  readonly url: string;
  /** Sent in turn, over and over. */
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  /** Replies of this time are not counted. */
  readonly warmMs: number;
  readonly measureMs: number;
  /** So many requests instead, however long they take, or until `atMostMs` have passed. */
  readonly amount?: number;
  readonly atMostMs?: number;
  /** Of every right reply. */
  readonly status: number;
  /** Size of a right reply, head and body; absent: any. */
  readonly bytes?: number;
}

export interface HttpLoadResult {
  readonly all: number;
  readonly counted: number;
  /** In which the counted ones came. */
  readonly ms: number;
  /** Of the last reply, head and body. */
  readonly bytes: number;
}

export interface StreamLoad {
  readonly url: string;
  readonly request: LoadRequest;
  readonly streams: number;
  /** One reader more that never reads. */
  readonly stalled: boolean;
  /** Events of each stream that is read. */
  readonly frames: number;
}

export interface StreamLoadResult {
  /** From the first event of any stream to the end of the last one. */
  readonly ms: number;
}
