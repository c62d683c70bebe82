// Push notifications: configs and deliveries (A2A 1.0 §3.1.7-3.1.10, §4.3, §13.2).

import { must, type Rows, ruled, should } from "../requirement.ts";

export const PUSH: Rows = {
  "push-not-offered": must("3.3.4", "With `capabilities.pushNotifications` false the four push methods are -32003."),
  "push-create": must("3.1.7", "Create takes the flat config and gives it back bare, with its id and task."),
  "push-id-assigned": must("3.1.7", "A config without id gets one."),
  "push-id-replaces": ruled("3.1.7", "The same id on the same task replaces the config."),
  "push-id-per-task": ruled("3.1.7", "Ids belong to their task: the same id on two tasks is two configs."),
  "push-ended-task": ruled("3.1.7", "Configs can be made, read and deleted on a task that has ended."),
  "push-cap": ruled("own", "A task has at most 10 configs; one more is refused."),
  "push-task-unknown": must("3.1.7", "The four methods are -32001 for an unknown task."),
  "push-get": must("3.1.8", "Get gives the bare config."),
  "push-get-unknown": must("3.1.8", "Get of an unknown config is -32001."),
  "push-list": must("3.1.9", "List gives all configs of the task, and nextPageToken when there are more."),
  "push-delete": must("3.1.10", "A deleted config is gone, and nothing is delivered to it."),
  "push-delete-again": must(
    "3.1.10",
    "Deleting an unknown config of a known task succeeds; a member `result` is there.",
  ),
  "push-no-credentials": ruled("13.2", "`authentication.credentials` is never given back by any method."),
  "push-inline": must("3.2.2", "A config in a send belongs to the new task, streaming or not, before its first event."),
  "push-inline-bad": ruled("3.2.2", "A bad config in a send is -32602 with the field, and starts nothing."),
  "push-inline-not-offered": ruled(
    "3.3.4",
    "A config in a send while push is not offered is not silently forgotten: -32003, and nothing starts.",
  ),
  "push-body": must(
    "4.3.3",
    "A delivery is a POST of one StreamResponse as application/a2a+json, not wrapped in JSON-RPC.",
  ),
  "push-authorization": must(
    "4.3.3",
    "With `authentication` a delivery has Authorization: <scheme> <credentials>, from the first one on.",
  ),
  "push-token": ruled("4.3.3", "With `token` a delivery has X-A2A-Notification-Token, beside any Authorization."),
  "push-version": ruled("3.6", "A delivery has A2A-Version: 1.0."),
  "push-signature": ruled("own", "With a secret set a delivery has X-A2A-Signature: sha256=<hex> over the body."),
  "push-events": ruled("4.3.3", "Every status change and every whole artifact is delivered."),
  "push-order": ruled("4.3.3", "The deliveries of one config come in order, each event once."),
  "push-retry": ruled(
    "4.3.3",
    "A delivery that fails is tried again after 1, 2 and 4 s, then given up; any 2xx is success.",
  ),
  "push-timeout": should("4.3.3", "A receiver that does not answer in time has failed."),
  "push-slow-receiver": ruled(
    "own",
    "A slow or dead receiver slows neither the task nor deliveries to others; at most 32 run at once.",
  ),
  "push-no-redirect": ruled("13.2", "Redirects of a receiver are not followed."),
  "push-target-literal": should(
    "13.2",
    "A url with a private, loopback or link-local address, or plain http, is -32602 at creation.",
  ),
  "push-target-resolved": should(
    "13.2",
    "A name is resolved at each delivery, and never reached at a private address.",
  ),
  "push-target-pinned": should(
    "13.2",
    "A delivery connects to the address that was checked, whatever the name resolves to afterwards.",
  ),
  "push-target-unresolved": ruled("13.2", "Creating a config resolves no name."),
  "push-allow-insecure": ruled("own", "`server.pushAllowInsecure` admits plain http and private targets."),
};
