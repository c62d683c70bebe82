// The operations of A2A 1.0 §3.1 over the engine: one set for every binding and dialect. Takes decoded params and returns
// values of the data model; knows neither HTTP nor JSON-RPC.

import type { Principal } from "../core/ports.ts";
import type {
  GetTaskParams,
  ListTasksParams,
  SendMessageParams,
  SendResult,
  Task,
  TaskIdParams,
  TaskList,
} from "../core/protocol/types.ts";
import type { Engine } from "../engine/engine-types.ts";
import { listTasks } from "./list-tasks.ts";
import type { StreamSlots } from "./stream-slots.ts";
import { createTaskStream, type TaskStream } from "./task-stream.ts";

export interface Operations {
  /** Waits until the task has ended or asks its caller, unless `returnImmediately`; the signal ends the wait, never the task. */
  sendMessage(caller: Principal, params: SendMessageParams, signal: AbortSignal): Promise<SendResult>;
  /** Resolves when the message is accepted; ends with the task, or at a question to the caller. */
  sendStreamingMessage(caller: Principal, params: SendMessageParams): Promise<TaskStream>;
  getTask(caller: Principal, params: GetTaskParams): Task;
  /** One page of the caller's tasks, newest status first. */
  listTasks(caller: Principal, params: ListTasksParams): TaskList;
  cancelTask(caller: Principal, params: TaskIdParams): Promise<Task>;
  /** Ends with the task only. */
  subscribeToTask(caller: Principal, params: TaskIdParams): TaskStream;
}

export function createOperations(engine: Engine, streams: StreamSlots): Operations {
  return {
    async sendMessage(caller, { message, configuration }, signal) {
      const detached = configuration?.returnImmediately === true;
      const submission = await engine.submit({ caller, message, detached });
      submission.subscription.close();
      const first = await submission.first;
      if (first.kind === "message") return { message: first.message };
      const { taskId } = submission;
      return { task: detached ? engine.get(caller, taskId) : await engine.settled(caller, taskId, signal) };
    },

    async sendStreamingMessage(caller, { message }) {
      const onClose = streams.take(caller.key);
      try {
        const { subscription, first } = await engine.submit({ caller, message, detached: false });
        return createTaskStream({ subscription, first, endsAtQuestion: true, onClose });
      } catch (error) {
        onClose();
        throw error;
      }
    },

    getTask: (caller, { id }) => engine.get(caller, id),

    listTasks: (caller, params) => listTasks(engine, caller, params),

    cancelTask: (caller, { id }) => engine.cancel(caller, id),

    subscribeToTask(caller, { id }) {
      const onClose = streams.take(caller.key);
      try {
        return createTaskStream({ subscription: engine.subscribe(caller, id), endsAtQuestion: false, onClose });
      } catch (error) {
        onClose();
        throw error;
      }
    },
  };
}
