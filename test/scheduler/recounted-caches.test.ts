import { expect, onTestFinished, test } from "vitest";
import type { Node } from "../../src/api/generated/core-v1.ts";
import { selectionOf } from "../../src/api/labels/label-selector.ts";
import { lookupsIn } from "../../src/decisions/placement/view/list-view.ts";
import { LiveCounter } from "../../src/scheduler/cache/columns/live-counter.ts";
import { SchedulerCache } from "../../src/scheduler/cache/scheduler-cache.ts";
import { pod } from "../../src/testing/pod.ts";
import { recountCaches } from "./recounted-caches.ts";

const node: Node = {
  metadata: { name: "n", uid: "n", resourceVersion: "1" },
  spec: {},
  status: { allocatable: { cpu: "4", pods: "10" } },
};

function cacheWithWrongCounter(): SchedulerCache {
  const cache = new SchedulerCache(lookupsIn({}));
  cache.setNode(node);
  const counter = cache.view.columns.counter(
    "default",
    selectionOf([{ operator: "=", key: "app", value: "web" }]),
  );
  cache.setPod(pod("p", { node: "n" }));
  if (counter instanceof LiveCounter) counter.perNode[0] = 7;
  return cache;
}

test("a counter that is wrong after an event is an error that names the event", () => {
  onTestFinished(recountCaches());
  const cache = cacheWithWrongCounter();
  expect(() => cache.setPod(pod("q", { node: "n" }))).toThrow(
    /^setPod broke a counter: the number of Pods in default with .* on n is 2, not 8$/,
  );
});

test("nothing is counted again once that is over", () => {
  recountCaches()();
  const cache = cacheWithWrongCounter();
  expect(cache.setPod(pod("q", { node: "n" }))).toBeUndefined();
});
