import { expect, test } from "vitest";
import { keyOf } from "../../api/object.ts";
import { pod } from "../../testing/pod.ts";
import { areStillActive, areStillActiveInSteps } from "./gather-state.ts";

const pods = Array.from({ length: 9000 }, (_, index) => pod(`web-${index}`, { uid: `${index}` }));

/** What the informer knows: these Pods, and in place of the last one another. */
function knowing(last = pods.at(-1)) {
  const known = new Map(
    [...pods.slice(0, -1), ...(last === undefined ? [] : [last])].map((each) => [keyOf(each), each]),
  );
  return { get: (key: string) => known.get(key) };
}

test("looking at thousands of Pods again pauses after every few hundred, for the sake of requests", () => {
  const steps = areStillActiveInSteps(pods, knowing());
  let pauses = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) pauses++;
  expect(pauses).toBeGreaterThan(30);
  expect(step.value).toBe(true);
});

test.for([
  { name: "has ended", last: pod("web-8999", { uid: "8999", phase: "Failed" }) },
  { name: "was replaced by another of its name", last: pod("web-8999", { uid: "other" }) },
])("Pods of which one $name are not as they were read", ({ last }) => {
  expect(areStillActive(pods, knowing(last))).toBe(false);
});
