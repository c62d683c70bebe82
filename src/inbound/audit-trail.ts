// Owns what the audit hears of the inbound side: each message that a caller hands over and how its task ends, every other call, and
// whoever is turned away. Decides nothing, and costs a request no more than a few small objects.

import { changed, type Writable } from "../core/platform/changed.ts";
import type { Clock } from "../core/platform/clock.ts";
import type { A2aError } from "../core/platform/errors.ts";
import { isObject } from "../core/platform/json.ts";
import type { Audit, AuditEntry, Principal } from "../core/ports.ts";
import { isInterrupted, isTerminal } from "../core/protocol/task-state.ts";
import type { TraceContext } from "../core/protocol/trace-context.ts";
import type { Message, Part, Task, TaskState } from "../core/protocol/types.ts";
import type { Engine, Replied, Submission, SubmitRequest } from "../engine/engine-types.ts";
import type { TaskEvent } from "../engine/task-event.ts";
import { partsBytes, taskBytes } from "../engine/task-size.ts";
import type { RequestFacts } from "./request-facts.ts";

/** How a request came here: what a method hands on to the work that the request begins. */
export interface Arrival extends TraceContext {
  readonly method?: string;
  /** Of the request's body. */
  readonly bytes?: number;
  /** How to hear what the caller got of the response; absent when the request has none that could be lost. */
  readonly onReplied?: (listener: (how: Replied) => void) => void;
}

/** One call that was let in. Of all that it hears the first end counts. */
export interface CallTrail {
  /** The request could be read; `value` is the JSON-RPC request, whatever is in it; `bytes` are what its head says. */
  asked(value: unknown, bytes: number | undefined): Arrival;
  /** Hears how the work for it ends, and gives it back. */
  follow<T>(work: Promise<T>): Promise<T>;
  refused(error: A2aError): void;
}

export interface AuditTrail {
  /** A request that was answered by its head alone; `caller` is known once it was let in. */
  turnedAway(facts: RequestFacts, error: A2aError, caller?: Principal): void;
  open(caller: Principal, trace: TraceContext): CallTrail;
  /** Of a call that is noted elsewhere. */
  silent(trace: TraceContext): CallTrail;
  /** The engine took a message. */
  accepted(request: SubmitRequest, arrival: Arrival, submission: Submission): void;
  /** A message came again, and leads to the task of the first. */
  cameAgain(request: SubmitRequest, arrival: Arrival, submission: Submission): void;
  close(): void;
}

interface TrailDeps {
  readonly audit: Audit;
  readonly engine: Pick<Engine, "observe">;
  readonly clock: Clock;
  readonly toWire: (error: unknown) => A2aError;
}

/** What all lines of one exchange have in common. */
type Exchange = Pick<AuditEntry, "direction" | "identity"> & Partial<AuditEntry>;

/** Messages have their end with their task. */
const SENDING = /^(?:Send(?:Streaming)?Message|message\/(?:send|stream))$/;

export function startAuditTrail({ audit, engine, clock, toWire }: TrailDeps): AuditTrail {
  const running = new Map<string, { readonly exchange: Exchange; readonly since: number }>();

  const outcome = (taskId: string, state: TaskState, parts: readonly Part[], bytes: number): void => {
    const known = running.get(taskId);
    if (known === undefined) return;
    if (isTerminal(state)) running.delete(taskId);
    const { exchange, since } = known;
    audit.record(
      changed(exchange, { event: "outcome" as const, state, bytes, ms: clock.monotonic() - since, preview: parts }),
    );
  };
  const hear = (event: TaskEvent, task: Task, owner: Principal): void => {
    if (event.kind !== "status") return;
    const { state, message } = event.status;
    if (isTerminal(state) && !running.has(task.id)) foundEnd(owner, task, state, message);
    else if (isTerminal(state) || isInterrupted(state)) outcome(task.id, state, said(task, message), taskBytes(task));
  };
  /** Of a task that came to a server before this one, which it has lost or left asking. */
  const foundEnd = (owner: Principal, task: Task, state: TaskState, message: Message | undefined): void => {
    const { id: taskId, contextId } = task;
    const entry = { direction: "in", event: "outcome", ...identityOf(owner), taskId, contextId } as const;
    audit.record({ ...entry, state, bytes: taskBytes(task), preview: said(task, message) });
  };
  const off = engine.observe(hear);

  return {
    turnedAway({ address }, error, caller) {
      const identity = caller === undefined ? { identity: `ip:${address}` } : identityOf(caller);
      audit.record({ direction: "in", event: "refused", ...identity, error: error.code });
    },
    open: (caller, trace) => new OpenTrail({ audit, clock, toWire }, caller, trace),
    silent: silentTrail,
    accepted({ caller, message }, arrival, submission) {
      const exchange = exchangeOf(caller, arrival, submission);
      const { taskId, first } = submission;
      running.set(taskId, { exchange, since: clock.monotonic() });
      const arrived = changed(exchange, { event: "arrival" as const, preview: message.parts });
      if (arrival.bytes !== undefined) arrived.bytes = arrival.bytes;
      audit.record(arrived);
      void first.then((output) => {
        if (output.kind !== "message") return;
        const { parts } = output.message;
        outcome(taskId, "TASK_STATE_COMPLETED", parts, partsBytes(parts));
      });
    },
    cameAgain({ caller }, arrival, submission) {
      const again = changed(exchangeOf(caller, arrival, submission), { event: "resend" as const });
      if (arrival.bytes !== undefined) again.bytes = arrival.bytes;
      audit.record(again);
    },
    close: off,
  };
}

/** A call that is noted here. */
class OpenTrail implements CallTrail {
  readonly #deps: Omit<TrailDeps, "engine">;
  readonly #trace: TraceContext;
  readonly #since: number;
  readonly #exchange: Writable<Exchange>;
  #over = false;

  constructor(deps: Omit<TrailDeps, "engine">, caller: Principal, trace: TraceContext) {
    this.#deps = deps;
    this.#trace = trace;
    this.#since = deps.clock.monotonic();
    this.#exchange = callerOf(caller, trace.traceparent);
  }

  asked(value: unknown, bytes: number | undefined): Arrival {
    const method = methodOf(value);
    nameIds(describeCall(this.#exchange, method, bytes), value);
    return arrivalOf(this.#trace, method, bytes);
  }

  async follow<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      if (SENDING.test(this.#exchange.method ?? "")) this.#over = true;
      else this.#end({ event: "call" });
      return result;
    } catch (error) {
      this.refused(this.#deps.toWire(error));
      throw error;
    }
  }

  refused(error: A2aError): void {
    this.#end({ event: "refused", error: error.code });
  }

  #end(fields: Pick<AuditEntry, "event" | "error">): void {
    const { audit, clock } = this.#deps;
    const entry = changed(this.#exchange, fields);
    if (!this.#over) audit.record(changed(entry, { ms: clock.monotonic() - this.#since }));
    this.#over = true;
  }
}

/** Member by member, as all that is done for every call. */
function callerOf({ key, name, asserted }: Principal, traceparent: string): Writable<Exchange> {
  const exchange: Writable<Exchange> = { direction: "in", identity: name, principal: key, traceparent };
  if (asserted !== undefined) exchange.asserted = asserted;
  return exchange;
}

function exchangeOf(caller: Principal, { traceparent, method }: Arrival, { taskId, contextId }: Submission) {
  const exchange = callerOf(caller, traceparent);
  exchange.taskId = taskId;
  exchange.contextId = contextId;
  if (method !== undefined) exchange.method = method;
  return exchange;
}

function silentTrail(trace: TraceContext): CallTrail {
  return {
    asked: (value, bytes) => arrivalOf(trace, methodOf(value), bytes),
    follow: (work) => work,
    refused: () => undefined,
  };
}

function identityOf({ key, name, asserted }: Principal): Pick<AuditEntry, "identity" | "principal" | "asserted"> {
  return { identity: name, principal: key, ...(asserted === undefined ? {} : { asserted }) };
}

function methodOf(value: unknown): string | undefined {
  return isObject(value) && typeof value.method === "string" ? value.method : undefined;
}

function arrivalOf(trace: TraceContext, method: string | undefined, bytes: number | undefined): Arrival {
  const arrival: Arrival = changed(trace, {});
  return describeCall(arrival, method, bytes);
}

/** Member by member, because this is done for every call: copies of several objects at once are slow. */
function describeCall<T extends Writable<Pick<Arrival, "method" | "bytes">>>(
  call: T,
  method: string | undefined,
  bytes: number | undefined,
): T {
  if (method !== undefined) call.method = method;
  if (bytes !== undefined) call.bytes = bytes;
  return call;
}

/** What a request names, wherever its method has the ids. */
function nameIds(known: Writable<Exchange>, value: unknown): void {
  const params = memberOf(value, "params");
  const message = memberOf(params, "message");
  const taskId = firstText(params.taskId, params.id, message.taskId);
  const contextId = firstText(params.contextId, message.contextId);
  if (taskId !== undefined) known.taskId = taskId;
  if (contextId !== undefined) known.contextId = contextId;
}

const NOTHING: Readonly<Record<string, unknown>> = {};

function firstText(...values: readonly unknown[]): string | undefined {
  for (const value of values) if (typeof value === "string") return value;
  return undefined;
}

function memberOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const member: unknown = isObject(value) ? value[name] : undefined;
  return isObject(member) ? member : NOTHING;
}

/** What the end says, else the reply. */
function said({ artifacts = [] }: Task, message: Message | undefined): readonly Part[] {
  return message?.parts ?? artifacts.at(-1)?.parts ?? [];
}
