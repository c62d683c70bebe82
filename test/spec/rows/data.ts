// The data model and its JSON form (A2A 1.0 §4.1, §5).

import { must, type Rows, ruled, should } from "../requirement.ts";

export const DATA: Rows = {
  "out-camel-case": must("5.5", "Fields are written in lowerCamelCase."),
  "out-enum-names": must("5.5", "Enums are written as their full names: TASK_STATE_COMPLETED, ROLE_AGENT."),
  "out-known-fields": must("5.7", "Nothing is written that the specification does not have, at any depth; no `kind`."),
  "out-no-null": must("5.5", "null is written only inside data and metadata."),
  "out-no-empty": must("5.5", "Unset scalars, empty lists and empty maps are left out unless they are required."),
  "out-base64": must("5.5", "Bytes are written as standard base64 with padding."),
  "out-timestamp": must("5.6.1", "Every status has a timestamp: UTC with Z and milliseconds."),
  "out-timestamp-moves": must("5.6.1", "Each status change has a new timestamp that never goes back."),
  "out-task-required": must("4.1.1", "A task always has id, contextId and status."),
  "out-artifact-ids": must("4.1.7", "Artifact ids are unique in their task, and each artifact has a part."),
  "out-part-members": must("4.1.6", "All four kinds of parts are written, each with its type, name and metadata."),
  "out-part-presence": must("4.1.6", 'A part that is "" or data that is null is written as such.'),
  "in-snake-case": must("5.5", "Fields are read in snake_case too."),
  "in-enum-numbers": must("5.5", "Enums are read by number too."),
  "in-number-strings": must("5.5", "Whole numbers are read from strings too."),
  "in-null-unset": must("5.5", "null is an unset field."),
  "in-base64": must("5.5", "Bytes are read in the standard and the URL-safe alphabet, padded or not."),
  "in-unknown-fields": should("5.7", "Unknown fields are ignored at every level."),
  "in-timestamps": must("5.6.1", "Timestamps are read with 0 to 9 fraction digits and with offsets."),
  "in-data-any-json": must("4.1.6", "`data` may be any JSON value, null included."),
  "in-every-field": ruled(
    "5.5",
    "Every field of every method that is of a wrong type, out of range or too long is -32602 by its path, and starts nothing.",
  ),
  "in-hostile-names": ruled(
    "5.5",
    "Names that every object has (__proto__, constructor) are never members of what is read.",
  ),
};
