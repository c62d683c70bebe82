// Owns the webhooks of all tasks in memory. A change counts for later decisions at once, and for everybody when it is stored.
// Bounded per task, and in bytes for all tasks together.

import { A2aError } from "../core/platform/errors.ts";
import type { PushConfig, PushTarget } from "../core/protocol/types.ts";
import { foldPushEvent, type PushConfigsById, type PushEvent } from "./push-event.ts";

export const MAX_PUSH_CONFIGS = 10;
export const MAX_BOOK_BYTES = 32 * 1024 * 1024;
/** Of the ids and the frame of one webhook. */
const FRAME_BYTES = 256;

export interface PushBook {
  /** What is stored; undefined for a task that never had a webhook or is no longer kept. */
  kept(taskId: string): PushConfigsById | undefined;
  /** The same with what is on its way to the sink. */
  decided(taskId: string): PushConfigsById;
  /** Throws INVALID_PARAMS when the task can take no webhook like this, BUSY when all tasks together have too many. */
  assertRoom(taskId: string, target: PushTarget): void;
  /** The webhooks that have not heard of what came `at`, although they were there by then. */
  untold(taskId: string, at: number): readonly PushConfig[];
  /** Tasks with webhooks. */
  tasks(): readonly string[];
  /** Decides a change; one of the two functions says later what became of it. */
  plan(event: PushEvent): PlannedChange;
  /** Drops everything about a task that is no longer kept. */
  forget(taskId: string): void;
}

export interface PlannedChange {
  /** It is stored. */
  done(): void;
  /** It could not be stored: it never happened. */
  failed(): void;
}

interface Page {
  kept: PushConfigsById;
  /** By id, up to when a webhook has heard of everything. */
  readonly toldAt: Map<string, number>;
  readonly planned: Set<PushEvent>;
  bytes: number;
  /** The task is no longer kept. */
  gone: boolean;
}

export function createPushBook(): PushBook {
  const pages = new Map<string, Page>();
  const none: PushConfigsById = new Map();
  let bytes = 0;

  const open = (taskId: string): Page => {
    const page = pages.get(taskId) ?? { kept: none, toldAt: new Map(), planned: new Set(), bytes: 0, gone: false };
    pages.set(taskId, page);
    return page;
  };
  const recount = (page: Page): void => {
    if (page.gone) return;
    bytes -= page.bytes;
    page.bytes = pageBytes(page);
    bytes += page.bytes;
  };
  const decided = (taskId: string): PushConfigsById => {
    const page = pages.get(taskId);
    return page === undefined ? none : [...page.planned].reduce(foldPushEvent, page.kept);
  };
  return {
    kept: (taskId) => pages.get(taskId)?.kept,
    decided,
    assertRoom(taskId, target) {
      const configs = decided(taskId);
      const replaces = target.id !== undefined && configs.has(target.id);
      if (!replaces && configs.size >= MAX_PUSH_CONFIGS) throw full(configs.size);
      if (bytes + configBytes(target) > MAX_BOOK_BYTES) throw tooMany();
    },
    untold(taskId, at) {
      const page = pages.get(taskId);
      return [...(page?.kept.values() ?? [])].filter(({ id }) => (page?.toldAt.get(id) ?? 0) < at);
    },
    tasks: () => [...pages.keys()],
    plan(event) {
      const page = open(event.taskId);
      const settle = (stored: boolean): void => {
        page.planned.delete(event);
        if (stored) keep(page, event);
        recount(page);
      };
      page.planned.add(event);
      recount(page);
      return { done: () => settle(true), failed: () => settle(false) };
    },
    forget(taskId) {
      const page = pages.get(taskId);
      if (page === undefined) return;
      pages.delete(taskId);
      page.gone = true;
      bytes -= page.bytes;
    },
  };
}

function keep(page: Page, event: PushEvent): void {
  page.kept = foldPushEvent(page.kept, event);
  // A new webhook hears of what comes after it.
  if (event.kind === "push-set") page.toldAt.set(event.config.id, event.at);
  if (event.kind === "push-told") page.toldAt.set(event.configId, event.at);
  if (event.kind === "push-deleted") page.toldAt.delete(event.configId);
}

function pageBytes({ kept, planned }: Page): number {
  let bytes = 0;
  for (const config of kept.values()) bytes += configBytes(config);
  for (const event of planned) if (event.kind === "push-set") bytes += configBytes(event.config);
  return bytes;
}

function configBytes({ id, url, token, authentication }: PushTarget): number {
  const texts = [id, url, token, authentication?.scheme, authentication?.credentials];
  return texts.reduce((bytes, text) => bytes + (text?.length ?? 0), FRAME_BYTES);
}

function full(count: number): A2aError {
  const description = `has ${count} push configs, and no task can have more`;
  return new A2aError("INVALID_PARAMS", `the task ${description}; delete one first`, {
    violations: [{ field: "taskId", description }],
  });
}

function tooMany(): A2aError {
  return new A2aError("BUSY", "busy: the push configs of all tasks together take all the room there is for them", {
    hint: "Delete push configs that are not needed any more.",
  });
}
