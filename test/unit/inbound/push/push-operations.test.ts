import assert from "node:assert/strict";
import type { PushConfigPage } from "../../../../src/core/protocol/types.ts";
import { createPushOperations, type PushOperations } from "../../../../src/inbound/push/push-operations.ts";
import { ALICE, BOB, createEngineRig, type EngineRig } from "../../../support/engine-rig.ts";
import { refusal } from "../../../support/refusal.ts";

const URL = "https://hooks.example.com/";
const RULES = { offered: true, allowInsecure: () => false };

describe("push operations", () => {
  let rig: EngineRig;
  let push: PushOperations;
  let taskId: string;
  beforeEach(async () => {
    rig = createEngineRig();
    push = createPushOperations(rig.engine, RULES);
    const { run, taskId: id } = await rig.start();
    run.complete();
    await rig.settle();
    taskId = id;
  });
  const create = async (id: string): Promise<void> => {
    const made = push.create(ALICE, { taskId, id, url: URL });
    await rig.settle();
    await made;
  };

  it("tell a stranger nothing but that there is no such task, whatever else is wrong (P04)", async () => {
    await create("a");
    const foreign = { code: "TASK_NOT_FOUND" };
    await assert.rejects(push.create(BOB, { taskId, url: "http://127.0.0.1/" }), foreign);
    await assert.rejects(push.delete(BOB, { taskId, id: "a" }), foreign);
    await assert.rejects(() => push.get(BOB, { taskId, id: "a" }), foreign);
    await assert.rejects(() => push.list(BOB, { taskId, pageToken: "nonsense!" }), foreign);
  });

  it("walk through all configs page by page, whatever their ids are", async () => {
    const ids = ["__proto__", "\ud800", "\udfff", "\uffff", "\u{1F44B}", "a", "b", "é", " ", "\u0000"];
    for (const id of ids) await create(id);
    for (const pageSize of [1, 3, 10, 100]) {
      const seen: string[] = [];
      let page: PushConfigPage | undefined;
      do {
        const next = page?.nextPageToken;
        page = await push.list(ALICE, { taskId, pageSize, ...(next === undefined ? {} : { pageToken: next }) });
        assert.ok(page.configs.length <= pageSize && page.configs.length > 0);
        seen.push(...page.configs.map(({ id }) => id));
      } while (page.nextPageToken !== undefined);
      assert.deepEqual(seen.length, ids.length);
      assert.deepEqual(new Set(seen), new Set(ids));
    }
  });

  it("ask for the operator's leave anew at each check", async () => {
    const leave = { given: false };
    push = createPushOperations(rig.engine, { offered: true, allowInsecure: () => leave.given });
    const inline = () => push.inline({ taskPushNotificationConfig: { url: "http://10.0.0.1/" } });
    const { violations } = refusal("INVALID_PARAMS", inline);
    assert.equal(violations[0]?.field, "configuration.taskPushNotificationConfig.url");
    leave.given = true;
    assert.deepEqual(inline(), { url: "http://10.0.0.1/" });
  });

  it("find nothing in a message without a webhook, also when none is offered", () => {
    push = createPushOperations(rig.engine, { ...RULES, offered: false });
    assert.equal(push.inline(undefined), undefined);
    assert.equal(push.inline({}), undefined);
    refusal("PUSH_NOT_SUPPORTED", () => push.inline({ taskPushNotificationConfig: { url: URL } }));
  });
});
