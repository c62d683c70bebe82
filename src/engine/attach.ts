// Leads a message that came again to the task of the first: as that task is now, with all that follows (DESIGN: Resends). Starts
// nothing, takes no slot and refuses nobody as busy.

import type { Task } from "../core/protocol/types.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { Submission, SubmitRequest, Subscription } from "./engine-types.ts";
import { isKept } from "./kept-task.ts";
import { openSubscription } from "./publish.ts";
import { setWebhook } from "./push-configs.ts";
import type { Place, Sent } from "./resends.ts";
import { openFeed } from "./subscriptions.ts";

/** See Engine.resend. */
export function attach(parts: EngineParts, request: SubmitRequest): Promise<Submission> | undefined {
  const { resends, table } = parts;
  const sent = resends.find(request);
  if (sent === undefined) return undefined;
  if (sent.taskId === undefined || table.get(sent.taskId) !== undefined) return join(parts, sent, request);
  // The task is no longer kept.
  resends.forget(sent);
  return undefined;
}

async function join(parts: EngineParts, sent: Sent, { push }: SubmitRequest): Promise<Submission> {
  const { taskId, contextId, first } = await sent.place;
  const place = { taskId, contextId, first };
  const found = parts.table.get(place.taskId);
  const isTask = found !== undefined && !(isKept(found) ? found.hidden : found.withdrawn);
  if (isTask && push !== undefined) await setWebhook(parts, found, push);
  return { ...place, subscription: await follow(parts, place), replied: (how) => parts.resends.report(sent, how) };
}

async function follow({ table }: EngineParts, { taskId, contextId }: Place): Promise<Subscription> {
  const found = table.get(taskId);
  if (found !== undefined && !isKept(found)) return openSubscription(found, found.visible ?? found.decided);
  // Of a direct reply nobody sees a task.
  const unseen: Task = { id: taskId, contextId, status: { state: "TASK_STATE_SUBMITTED" } };
  const feed = openFeed(found === undefined || found.hidden ? unseen : await table.read(found), () => undefined);
  feed.end("terminal");
  return feed;
}
