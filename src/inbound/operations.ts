// The operations of A2A 1.0 §3.1 over the engine: one set for every binding and dialect. Takes decoded params and returns
// values of the data model; knows neither HTTP nor JSON-RPC.

import type { Writable } from "../core/platform/changed.ts";
import type { StopSignal } from "../core/platform/stop-signal.ts";
import type { Principal } from "../core/ports.ts";
import type {
  GetTaskParams,
  ListTasksParams,
  PushTarget,
  SendMessageParams,
  SendResult,
  Task,
  TaskIdParams,
  TaskList,
} from "../core/protocol/types.ts";
import { withSelfOf } from "../core/security/identity.ts";
import type { Engine, SubmitRequest } from "../engine/engine-types.ts";
import type { Arrival } from "./audit-trail.ts";
import { listTasks } from "./list-tasks.ts";
import type { NewWork } from "./new-work.ts";
import { createPushOperations, type PushOperations, type PushRules } from "./push/push-operations.ts";
import type { StreamSlots } from "./stream-slots.ts";
import { createTaskStream, type TaskStream } from "./task-stream.ts";

export interface Operations {
  /** Waits until the task has ended or asks its caller, unless `returnImmediately`; the signal ends the wait, never the task. */
  sendMessage(caller: Principal, params: SendMessageParams, arrival: Arrival, signal: StopSignal): Promise<SendResult>;
  /** Resolves when the message is accepted; ends with the task, or at a question to the caller. */
  sendStreamingMessage(caller: Principal, params: SendMessageParams, arrival: Arrival): Promise<TaskStream>;
  getTask(caller: Principal, params: GetTaskParams): Promise<Task>;
  /** What `encodeTask` makes of the task as text, when it has ended and that is at hand; it says nothing of tasks elsewhere. */
  taskJson(caller: Principal, taskId: string): string | undefined;
  /** One page of the caller's tasks, newest status first. */
  listTasks(caller: Principal, params: ListTasksParams): Promise<TaskList>;
  cancelTask(caller: Principal, params: TaskIdParams): Promise<Task>;
  /** Ends with the task only. */
  subscribeToTask(caller: Principal, params: TaskIdParams): Promise<TaskStream>;
  readonly push: PushOperations;
}

const STRICT_PUSH: PushRules = { offered: true, allowInsecure: () => false };

export function createOperations(
  engine: Engine,
  streams: StreamSlots,
  newWork: NewWork,
  pushRules = STRICT_PUSH,
): Operations {
  const push = createPushOperations(engine, pushRules);
  return {
    push,

    async sendMessage(caller, params, arrival, signal) {
      const { configuration } = params;
      const detached = configuration?.returnImmediately === true;
      const request = requestOf(caller, params, detached, push.inline(configuration));
      const submission = await newWork.submit(request, arrival);
      submission.subscription.close();
      const first = await submission.first;
      if (first.kind === "message") return { message: first.message };
      const { taskId, settled } = submission;
      if (detached) return { task: await engine.get(caller, taskId) };
      return { task: await (settled?.(signal) ?? engine.settled(caller, taskId, signal)) };
    },

    async sendStreamingMessage(caller, params, arrival) {
      const request = requestOf(caller, params, false, push.inline(params.configuration));
      const onClose = streams.take(caller.key);
      try {
        const { subscription, first } = await newWork.submit(request, arrival);
        return createTaskStream({ subscription, first, endsAtQuestion: true, onClose });
      } catch (error) {
        onClose();
        throw error;
      }
    },

    getTask: (caller, { id }) => engine.get(caller, id),

    taskJson: (caller, taskId) => engine.json(caller, taskId),

    listTasks: (caller, params) => listTasks(engine, caller, params),

    cancelTask: (caller, { id }) => engine.cancel(caller, id),

    async subscribeToTask(caller, { id }) {
      const onClose = streams.take(caller.key);
      try {
        return createTaskStream({ subscription: await engine.subscribe(caller, id), endsAtQuestion: false, onClose });
      } catch (error) {
        onClose();
        throw error;
      }
    },
  };
}

function requestOf(
  caller: Principal,
  { message, dialect }: SendMessageParams,
  detached: boolean,
  push: PushTarget | undefined,
): SubmitRequest {
  const request: Writable<SubmitRequest> = { caller: withSelfOf(caller, message), message, detached };
  if (push !== undefined) request.push = push;
  if (dialect !== undefined) request.dialect = dialect;
  return request;
}
