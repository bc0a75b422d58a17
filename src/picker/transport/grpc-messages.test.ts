import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pickPodsMethod } from "../../../test/picker/pick-pods-method.ts";
import { encodePickPodsRequest, encodePickPodsResponse, parsePickPodsResponse } from "./grpc-messages.ts";

const method = pickPodsMethod();
const names = fc.array(fc.string({ unit: "binary" }), { maxLength: 20 });
const candidates = ["a", "b"];

test("the contract's decoder reads every request", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), names, (requested, pods) => {
      expect(method.requestDeserialize(encodePickPodsRequest({ requested, candidates: pods }))).toMatchObject(
        {
          number_of_pods_requested: requested,
          candidate_pods: pods,
        },
      );
    }),
  );
});

test("every response of the contract's encoder is read", () => {
  fc.assert(
    fc.property(names, names, (chosen_pods, tied_pods) => {
      const known = new Set([...chosen_pods, ...tied_pods]);
      const parsed = parsePickPodsResponse(method.responseSerialize({ chosen_pods, tied_pods }), known);
      const chosen = new Set(chosen_pods);
      const tied = new Set(tied_pods.filter((name) => !chosen.has(name)));
      expect(parsed).toMatchObject(known.size === 0 ? { kind: "Empty" } : { kind: "Ranked", chosen, tied });
    }),
  );
});

test("the list of protected Pods is field 3, in both directions", () => {
  const encoded = encodePickPodsResponse({ chosen: ["a"], tied: [], protects: ["b"] });
  expect(method.responseDeserialize(encoded)).toMatchObject({ chosen_pods: ["a"], protected_pods: ["b"] });
  const answer = parsePickPodsResponse(method.responseSerialize({ protected_pods: ["b", "c"] }), candidates);
  expect(answer).toMatchObject({ kind: "Empty", protects: new Set(["b"]), ignored: { unknown: 1 } });
});

describe("invalid bytes are a malformed answer:", () => {
  test.for([
    { name: "a name that is not UTF-8", bytes: [0x0a, 1, 0xff] },
    { name: "half a character", bytes: [0x0a, 2, 0x61, 0xc3] },
    { name: "a lone surrogate", bytes: [0x0a, 3, 0xed, 0xa0, 0x80] },
    { name: "a truncated name", bytes: [0x0a, 5, 0x61] },
    { name: "a length beyond the message", bytes: [0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f] },
    { name: "a tag that does not end", bytes: Array<number>(11).fill(0xff) },
    { name: "field number zero", bytes: [0x02, 0] },
    { name: "a group", bytes: [0x0b, 0x0c] },
  ])("$name", ({ bytes }) => {
    expect(parsePickPodsResponse(Uint8Array.from(bytes), candidates)).toMatchObject({ kind: "Malformed" });
  });

  test("random bytes never throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const parsed = parsePickPodsResponse(bytes, candidates);
        expect(["Malformed", "Empty", "Ranked"]).toContain(parsed.kind);
      }),
    );
  });
});

test("unknown fields and fields of another type are skipped", () => {
  const strange = [0x08, 1, 0x22, 1, 0xff, 0x21, 0, 0, 0, 0, 0, 0, 0, 0, 0x2d, 0, 0, 0, 0];
  const answer = parsePickPodsResponse(Uint8Array.from([...strange, 0x0a, 1, 0x61]), candidates);
  expect(answer).toMatchObject({ kind: "Ranked", chosen: new Set(["a"]) });
});
