import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DecisionEncoder, DecisionLog, type DecisionLogLimits } from "./decision-log.ts";

interface Decision {
  readonly name: string;
  readonly at: number;
  readonly namespace?: string;
  readonly weight?: number;
  readonly says?: string;
}

const encoder: DecisionEncoder<Decision, Decision> = {
  limits: { perObject: 20, weight: 1000 },
  subject: ({ name, namespace = "default" }) => ({ kind: "ReplicaSet", namespace, name, uid: name }),
  weight: ({ weight = 1 }) => weight,
  toRecord: (decision) => decision,
};

function logOf(decisions: readonly Decision[], limits: Partial<DecisionLogLimits> = {}) {
  const log = new DecisionLog(encoder, limits);
  for (const decision of decisions) log.add(decision);
  return log;
}

const timesOf = (records: readonly Decision[]) => records.map(({ at }) => at);
const web = (at: number, more: Partial<Decision> = {}): Decision => ({ name: "web", at, ...more });
const api = (at: number, more: Partial<Decision> = {}): Decision => ({ name: "api", at, ...more });

test.for([
  { name: "of one object", by: { namespace: "default", name: "web" }, want: [3, 1] },
  { name: "of one namespace", by: { namespace: "default", name: "" }, want: [3, 2, 1] },
  { name: "of one name", by: { name: "web" }, want: [4, 3, 1] },
  { name: "of everything", by: {}, want: [4, 3, 2, 1] },
  { name: "of a name that no object has", by: { name: "none" }, want: [] },
])("records $name are found, newest first", ({ by, want }) => {
  const log = logOf([web(1), api(2), web(3), web(4, { namespace: "elsewhere" })]);
  expect(timesOf(log.find(by))).toEqual(want);
});

describe("eviction", () => {
  test("of one object only the latest decisions are retained", () => {
    const log = logOf([web(1), web(2), web(3), api(4)], { perObject: 2 });
    expect(timesOf(log.find())).toEqual([4, 3, 2]);
  });

  test("the oldest decision goes when all together weigh too much", () => {
    const log = logOf([web(1, { weight: 6 }), api(2, { weight: 4 })], { weight: 10 });
    expect(timesOf(log.find())).toEqual([2, 1]);
    log.add(web(3));
    expect(timesOf(log.find())).toEqual([3, 2]);
  });

  test("the newest decision is retained, however heavy it is", () => {
    expect(timesOf(logOf([api(1), web(2, { weight: 1000 })], { weight: 10 }).find())).toEqual([2]);
  });

  test("holds both limits whatever is added", () => {
    const decisions = fc.array(
      fc.record({ name: fc.constantFrom("a", "b", "c"), at: fc.nat(), weight: fc.nat({ max: 9 }) }),
    );
    const limits = fc.record({ perObject: fc.integer({ min: 1, max: 4 }), weight: fc.nat({ max: 30 }) });
    fc.assert(
      fc.property(decisions, limits, (added, { perObject, weight }) => {
        const kept = logOf(added, { perObject, weight }).find();
        const total = kept.reduce((sum, each) => sum + (each.weight ?? 0), 0);
        expect(kept.length <= 1 || total <= weight).toBe(true);
        for (const name of ["a", "b", "c"]) {
          expect(kept.filter((each) => each.name === name).length).toBeLessThanOrEqual(perObject);
        }
        expect(kept[0]).toBe(added.at(-1));
      }),
    );
  });
});

test("a repeat of the previous decision about an object is not retained", () => {
  const isRepeat = (a: Decision, b: Decision) => a.says === b.says;
  const log = new DecisionLog({ ...encoder, isRepeat });
  for (const [at, says] of ["x", "x", "y", "x"].entries()) log.add(web(at, { says }));
  log.add(api(9, { says: "x" }));
  expect(timesOf(log.find())).toEqual([9, 3, 2, 0]);
});
