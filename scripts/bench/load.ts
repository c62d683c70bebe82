// The load, in a process of its own so that it takes nothing from the servers but the other core: autocannon for requests, and
// readers of streams.

import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import autocannon from "autocannon";
import { answerParent } from "../../test/hostile/support/measured-child.ts";
import { ID_PLACE, withId } from "./calls.ts";
import { createCounter, createEventCounter } from "./load-counters.ts";
import type { HttpLoad, HttpLoadResult, LoadRequest, StreamLoad, StreamLoadResult } from "./load-types.ts";

/** A run is stopped when its time is up; this only bounds one that gets no reply at all. */
const MOST_SEC = 120;
const SAMPLE_MS = 50;

/** Requests over so many connections until the time is up, or so many of them. Throws at the first wrong answer. */
function sendRequests(load: HttpLoad): Promise<HttpLoadResult> {
  const { url, connections, amount } = load;
  return new Promise((resolve, reject) => {
    const counter = createCounter(load);
    const options: autocannon.Options = {
      ...{ url, connections, sampleInt: SAMPLE_MS, timeout: MOST_SEC, requests: load.requests.map(asAutocannon) },
      idReplacement: load.requests.some(({ body = "" }) => body.includes(ID_PLACE)),
      ...(amount === undefined ? { duration: MOST_SEC } : { amount }),
    };
    const instance = autocannon(options, (error: unknown) => {
      const wrong = error ?? counter.wrong();
      if (wrong == null) resolve(counter.result());
      else reject(wrong);
    });
    instance.on("response", (_client, status, size) => {
      if (counter.take(status, size)) instance.stop();
    });
    instance.on("reqError", (error: Error) => {
      counter.fail(`${url} did not answer: ${error.message}`);
      instance.stop();
    });
  });
}

function asAutocannon({ method, path, headers, body }: LoadRequest): autocannon.Request {
  return { method, path, headers, ...(body === undefined ? {} : { body }) };
}

/** Reads streams to their ends. Throws when one has not the events that it should have. */
async function readStreams(load: StreamLoad): Promise<StreamLoadResult> {
  const stalled = load.stalled ? await openStalled(load) : undefined;
  try {
    let first = Number.POSITIVE_INFINITY;
    const begun = (): void => {
      first = Math.min(first, performance.now());
    };
    await Promise.all(Array.from({ length: load.streams }, () => readStream(load, begun)));
    return { ms: performance.now() - first };
  } finally {
    stalled?.destroy();
  }
}

function readStream({ url, request, frames }: StreamLoad, begun: () => void): Promise<void> {
  const { method, path, headers, body } = request;
  return new Promise((resolve, reject) => {
    const read = (response: IncomingMessage): void => {
      const events = createEventCounter();
      response.once("data", begun);
      response.on("data", events.take);
      response.once("error", reject);
      response.once("end", () => {
        const seen = events.seen();
        if (response.statusCode === 200 && seen === frames) resolve();
        else
          reject(new Error(`${url} streamed ${seen} events (status ${response.statusCode}) where ${frames} are right`));
      });
    };
    const call = httpRequest(new URL(path, url), { method, headers, agent: false }, read);
    call.once("error", reject);
    call.end(withId(body));
  });
}

/** Has asked for a stream, and takes none of it. */
function openStalled({ url, request }: StreamLoad): Promise<Socket> {
  const { port } = new URL(url);
  const { method, path, headers } = request;
  const body = withId(request.body) ?? "";
  const head = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Content-Length: ${Buffer.byteLength(body)}`];
  for (const [name, value] of Object.entries(headers)) head.push(`${name}: ${value}`);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1");
    // The server may cut it off, and rightly.
    socket.on("error", reject);
    socket.pause();
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`, () => resolve(socket));
  });
}

answerParent({ ready: () => undefined, sendRequests, readStreams }, () => ({}));
