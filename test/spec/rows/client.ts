// What this package does as a client (A2A 1.0 §3.2.6, §5.4, §8, §9).

import { must, type Rows, ruled, should } from "../requirement.ts";

export const CLIENT: Rows = {
  "client-version": must("3.6", "Every request of 1.0, the card's GET included, has A2A-Version: 1.0."),
  "client-tenant": must("8.3", "The tenant of the chosen interface is sent in each request, and none otherwise."),
  "client-interface": must("8.3", "The first interface that the client speaks is called, at the url of the card."),
  "client-capabilities": must("3.3.4", "A stream is asked for only when the card offers one."),
  "client-hybrid-card": should("8.3", "Cards with fields of older versions are read, and their 1.0 interface is used."),
  "client-card-cache": should("8.6", "A card is kept as long as it says, then asked for with its ETag."),
  "client-reply-version": must("9.2", "A reply or a frame without the JSON-RPC version marker is refused."),
  "client-reply-id": must("9.2", "A reply or a frame under another id is refused."),
  "client-error-data": should("9.5", "Errors are told by their code, whatever shape `data` has."),
  "client-error-on-stream": ruled("9.4.2", "An error that answers a stream call as JSON, of any media type, is shown."),
  "client-states": ruled(
    "4.1.3",
    "States are read in every known spelling; an unknown one ends the call with its name.",
  ),
  "client-parts": ruled("4.1.6", "Parts and roles are read in every known spelling."),
  "client-unknown-fields": should("5.7", "Unknown fields of replies and cards are ignored."),
  "client-sse": must("9.4.2", "Comments, several data lines of one event and any cut between bytes are read right."),
  "client-stream-broken": ruled(
    "3.5.2",
    "A stream that ends without a terminal state is subscribed to again or polled, never taken for success.",
  ),
  "client-artifact-merge": must("4.2.2", "Pieces are joined by artifact id and append; nothing is shown twice."),
  "client-no-context": ruled("3.4.1", "First contact has no contextId; the id of the reply is used afterwards."),
  "client-answer-ids": ruled("3.4.3", "The next message in a context whose task asks has both ids."),
  "client-files-sent": ruled("4.1.6", "Files of the session's folder are sent along as raw parts."),
  "client-files-saved": ruled(
    "4.1.6",
    "Files and data of a reply are kept byte for byte, readable by their user alone, and named.",
  ),
  "client-question-shown": ruled("3.4.3", "A question comes back with the peer's text, task id and context id."),
  "client-nothing-lost": ruled("3.7", "Status text and artifacts of a finished task both come back."),
  "client-files-named": ruled(
    "4.1.6",
    "A reply that holds only files or data says what came; data of every kind is kept.",
  ),
  "client-no-redirect": ruled("13.2", "Redirects are not followed."),
  "client-resend": ruled(
    "3.3.1",
    "A message is sent again only when it surely was not taken, under the same messageId.",
  ),
  "client-cancel": must("3.1.5", "A call that is stopped from this side cancels the remote task."),
};
