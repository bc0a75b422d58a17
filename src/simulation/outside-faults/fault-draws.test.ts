import * as fc from "fast-check";
import { expect, test } from "vitest";
import { FaultDraws, type FaultSubject } from "./fault-draws.ts";
import { outsideFaultNames, probabilitiesOf } from "./fault-profiles.ts";

const rough = probabilitiesOf("rough") ?? new Map();

const subject = fc.record({
  user: fc.constantFrom("admin", "system:serviceaccount:default:web"),
  verb: fc.constantFrom("create", "update", "watch", "event"),
  resource: fc.constantFrom("pods", "pods/status", "deployments.apps"),
  name: fc.constantFrom("default/web", "default/web-*", "default/db", ""),
});

/** Draws the faults of requests in their order. */
function faultsOf(seed: string, requests: readonly FaultSubject[]): readonly string[] {
  const draws = new FaultDraws(seed, rough);
  return requests.flatMap((request) => draws.draw(draws.count(request), outsideFaultNames)?.identity ?? []);
}

test("the same seed and the same requests have the same faults, in whatever order requests of different kinds arrive", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }),
      fc.array(fc.record({ subject, order: fc.nat() }), { maxLength: 200 }),
      (seed, requests) => {
        const arrived = requests.map((request) => request.subject);
        const other = requests.toSorted((a, b) => a.order - b.order).map((request) => request.subject);
        expect(faultsOf(seed, other).toSorted()).toEqual(faultsOf(seed, arrived).toSorted());
      },
    ),
  );
});

test("another seed has other faults", () => {
  const requests = Array.from({ length: 200 }, (_, index) => ({
    user: "admin",
    verb: "create",
    resource: "pods",
    name: `default/web-${index}`,
  }));
  expect(faultsOf("1", requests)).not.toEqual(faultsOf("2", requests));
});

test("a fault is about as frequent as its profile says", () => {
  const draws = new FaultDraws("often", rough);
  const request = { user: "admin", verb: "update", resource: "pods", name: "default/web" };
  const drawn = Array.from({ length: 10_000 }, () => draws.draw(draws.count(request), ["conflict"]));
  const count = drawn.filter((fault) => fault !== undefined).length;
  expect(count).toBeGreaterThan(900);
  expect(count).toBeLessThan(1100);
});

test("with a list of faults no others are drawn, and those on it again", () => {
  const request = { user: "admin", verb: "update", resource: "pods", name: "default/web" };
  const requests = Array.from({ length: 200 }, () => request);
  const [first = "", , third = ""] = faultsOf("1", requests);
  const draws = new FaultDraws("1", rough, new Set([first, third]));
  const again = requests.flatMap((each) => draws.draw(draws.count(each), outsideFaultNames)?.identity ?? []);
  expect(again).toEqual([first, third]);
});
