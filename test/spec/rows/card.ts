// The agent card, public and extended (A2A 1.0 §3.1.11, §4.4, §8).

import { must, type Rows, ruled, should } from "../requirement.ts";

export const CARD: Rows = {
  "card-public": must("8.2", "GET /.well-known/agent-card.json is 200 application/json without any login."),
  "card-below-path": ruled("8.2", "The card is also there below the path of an endpoint, and under agent.json."),
  "card-required": must(
    "4.4.1",
    "Every required field is there and filled, whatever the session lacks; skills have tags.",
  ),
  "card-interface": must(
    "4.4.6",
    "The first interface has an absolute url where calls are taken, JSONRPC, and version 1.0 without a patch.",
  ),
  "card-closed": must("4.4.1", "The card holds fields of the 1.0 card only, none of A2A 0.3."),
  "card-capabilities": must("3.3.4", "What the capabilities say is true of the methods."),
  "card-cache": should("8.6", "The card has Cache-Control with max-age, ETag and Last-Modified."),
  "card-not-modified": should(
    "8.6",
    "If-None-Match and If-Modified-Since are answered by 304 while the card is the same.",
  ),
  "card-vary": ruled("8.6", "Vary names A2A-Version and Authorization."),
  "card-head": ruled("8.2", "HEAD has the headers of GET and no body."),
  "card-no-secrets": should("13.1", "The public card holds no path, process id or model of the session."),
  "card-session-details": ruled(
    "4.4.4",
    "Session details stand in params of an extension, for callers that are let in.",
  ),
  "card-security": must("4.5", "With a token set the card names the bearer scheme in the 1.0 form."),
  "card-hybrid": ruled(
    "8.2",
    "Without a version, with 0.3, and under agent.json, the card can be read by clients of A2A 0.3 and of 1.0.",
  ),
  "extcard-not-offered": must(
    "3.1.11",
    "Without `capabilities.extendedAgentCard` GetExtendedAgentCard is -32004, also without params.",
  ),
  "extcard-not-configured": must("3.1.11", "With the capability and nothing to say GetExtendedAgentCard is -32007."),
  "extcard-served": must(
    "3.1.11",
    "With the capability GetExtendedAgentCard gives the bare card to callers that are logged in.",
  ),
};
