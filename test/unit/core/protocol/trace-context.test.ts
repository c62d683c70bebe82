import assert from "node:assert/strict";
import fc from "fast-check";
import { nextTrace, readTrace, traceHeaders } from "../../../../src/core/protocol/trace-context.ts";
import { createCountIds } from "../../../support/count-ids.ts";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN_ID = "00f067aa0ba902b7";
const GIVEN = `00-${TRACE_ID}-${SPAN_ID}-00`;
const VALID = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

describe("a trace", () => {
  it("is the caller's, with its state", () => {
    const tracestate = "congo=t61rcWkgMzE, rojo=00f067aa0ba902b7";
    assert.deepEqual(readTrace({ traceparent: GIVEN, tracestate }, createCountIds()), {
      traceparent: GIVEN,
      tracestate: "congo=t61rcWkgMzE,rojo=00f067aa0ba902b7",
    });
  });

  it("is started when the caller has none", () => {
    const { traceparent } = readTrace({}, createCountIds());
    assert.match(traceparent, VALID);
  });

  const broken = {
    "not of this form": "garbage",
    "in capitals": GIVEN.toUpperCase(),
    "of version ff": `ff${GIVEN.slice(2)}`,
    "of no trace": `00-${"0".repeat(32)}-${SPAN_ID}-01`,
    "of no span": `00-${TRACE_ID}-${"0".repeat(16)}-01`,
    "longer than version 00 is": `${GIVEN}-00`,
    "of a later version with a tail that does not stand apart": `cc${GIVEN.slice(2)}00`,
    "sent twice": `${GIVEN}, ${GIVEN}`,
    "very long": GIVEN.repeat(10_000),
  };
  for (const [what, traceparent] of Object.entries(broken)) {
    it(`is started when the caller's is ${what}, and its state goes with it`, () => {
      const trace = readTrace({ traceparent, tracestate: "a=b" }, createCountIds());
      assert.match(trace.traceparent, VALID);
      assert.ok(!trace.traceparent.includes(TRACE_ID));
      assert.equal(trace.tracestate, undefined);
    });
  }

  it("of a later version is passed on as version 00", () => {
    assert.equal(readTrace({ traceparent: `cc${GIVEN.slice(2)}-what-ever` }, createCountIds()).traceparent, GIVEN);
  });

  for (const tracestate of [
    "",
    ",",
    "no value",
    "A=b",
    `a=${"b".repeat(600)}`,
    "a=b\u00e4",
    `${"a=b,".repeat(40)}c=d`,
  ]) {
    it(`drops the state ${JSON.stringify(tracestate.slice(0, 20))} (${tracestate.length} letters)`, () => {
      assert.equal(readTrace({ traceparent: GIVEN, tracestate }, createCountIds()).tracestate, undefined);
    });
  }

  it("goes on under a span of its own, with flags and state", () => {
    const next = nextTrace({ traceparent: GIVEN, tracestate: "a=b" }, createCountIds());
    assert.deepEqual(next, { traceparent: `00-${TRACE_ID}-0000000000000001-00`, tracestate: "a=b" });
  });

  it("is valid in headers whatever came in", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (traceparent, tracestate) => {
        const headers = traceHeaders(nextTrace({ traceparent, tracestate }, createCountIds()));
        assert.match(headers.traceparent ?? "", VALID);
        assert.match(headers.tracestate ?? "", /^[\x20-\x7e]*$/);
      }),
    );
  });

  it("has no headers when there is none", () => {
    assert.deepEqual(traceHeaders(undefined), {});
  });
});
