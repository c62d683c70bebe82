// Versions, extensions and tenants: what travels beside the params (A2A 1.0 §3.2.6, §3.6, §4.6).

import { must, type Rows, ruled, should } from "../requirement.ts";

export const VERSION: Rows = {
  "ver-header": must("3.6", "A2A-Version 1.0 is served, whatever blanks stand around it."),
  "ver-query": must("3.6", "A2A-Version may stand in the query of the URL instead of a header."),
  "ver-patch-ignored": must("3.6", "Only Major.Minor counts: 1.0.3 is 1.0, 0.30 is not 0.3."),
  "ver-unsupported": must("3.6", "A version that is not served is -32009 and starts nothing."),
  "ver-supported-list": should("3.6", "-32009 names the versions that are served in its ErrorInfo."),
  "ver-none": ruled("3.6", "Without a version, or with a blank one, the PascalCase names speak 1.0."),
  "ver-before-method": ruled(
    "3.6",
    "The version is looked at before the method name, so an unknown name in an unknown version is -32009.",
  ),
  "ver-pascal-in-0-3": ruled("3.6", "A PascalCase name in an explicit 0.3 is -32601."),
  "ver-slash-names": ruled(
    "3.6",
    "Without the older dialects their names (message/send, tasks/get, ...) are -32601 in every version.",
  ),
  "ver-legacy-wire": ruled(
    "3.6",
    "Names with a slash speak the older dialects: 0.3 where the header or the message says so, else the older pi-a2a shape.",
  ),
  "ver-legacy-memory": ruled(
    "3.6",
    "A task remembers the dialect in which it was made, for calls that carry no message and for its webhooks.",
  ),
  "ver-legacy-spelling": ruled(
    "4.1.6",
    "Messages as 0.3 spells them are read under every name; the name decides the answer.",
  ),
  "ext-unknown-ignored": should(
    "4.6",
    "Extensions that the server does not know are ignored, whatever stands in the header.",
  ),
  "ext-echo": should("4.6", "A2A-Extensions of the answer lists the extensions that were asked for and are in force."),
  "ext-required": must("4.6", "A send without an extension that the card requires is -32008 and starts nothing."),
  "ext-exact-uri": must("4.6", "An extension counts only under exactly its URI; another version of it does not."),
  "ext-several": must("3.2.6", "Several extensions are read from one header line with commas and from several lines."),
  "ext-old-header": ruled("4.6", "X-A2A-Extensions, the name of A2A 0.3, is read as well."),
  "tenant-ignored": ruled("3.2.6", "`tenant` is taken as an opaque string by every method, and changes nothing."),
};
