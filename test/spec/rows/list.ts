// ListTasks (A2A 1.0 §3.1.4).

import { must, type Rows, ruled } from "../requirement.ts";

export const LIST: Rows = {
  "list-every-field": must(
    "3.1.4",
    "The result always has tasks, nextPageToken, pageSize and totalSize, also when nothing matches.",
  ),
  "list-context": must("3.1.4", "`contextId` gives the tasks of exactly that context."),
  "list-status": must("3.1.4", "`status` gives the tasks of exactly that state; UNSPECIFIED is no filter."),
  "list-status-unknown": must("3.1.4", "An unknown status is -32602 with the field."),
  "list-since": must(
    "3.1.4",
    "`statusTimestampAfter` gives tasks whose status is of that instant or later, whatever its zone.",
  ),
  "list-since-invalid": must("3.1.4", "A text that is no timestamp is -32602 with the field."),
  "list-filters-together": must("3.1.4", "Filters hold together: a task must match all of them."),
  "list-page-default": must("3.1.4", "Without `pageSize` a page has at most 50 tasks, and says so in `pageSize`."),
  "list-page-bounds": must("3.1.4", "A `pageSize` outside 1 to 100, or no whole number, is -32602 with the field."),
  "list-total": must("3.1.4", "`totalSize` counts the matches of all pages."),
  "list-order": must("3.1.4", "Tasks come newest status first; a new status moves a task to the front."),
  "list-tie": ruled("3.1.4", "Tasks of one instant come by id, greatest first."),
  "list-cursor": must("3.1.4", "Following nextPageToken shows each match once, also when tasks come meanwhile."),
  "list-last-page": must("3.1.4", 'The last page has the token "".'),
  "list-bad-token": must("3.1.4", "A token that the server did not write is -32602 with the field."),
  "list-no-artifacts": must("3.1.4", "Without `includeArtifacts` no task has a member `artifacts`."),
  "list-artifacts": must("3.1.4", "With `includeArtifacts` tasks have the artifacts that GetTask shows."),
  "list-history-length": must("3.2.4", "`historyLength` holds for each listed task."),
  "list-own": must("3.1.4", "Only tasks of the caller are listed and counted."),
};
