import { expect, test } from "vitest";
import { node } from "../../testing/node.ts";
import { pod } from "../../testing/pod.ts";
import { PodTracker } from "./pod-tracker.ts";

test("a Pod that goes while its status is written is not tracked again", () => {
  const tracker = new PodTracker();
  const web = pod("web");
  tracker.track(web, node("node-1"));
  tracker.forget(web);
  tracker.update(web, { name: "admitted", until: 0 }, web);
  expect(tracker.track(web, node("node-1")).stage).toBeUndefined();
});
