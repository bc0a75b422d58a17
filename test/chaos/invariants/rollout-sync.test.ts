import { expect, test } from "vitest";
import { deployment } from "../../../src/testing/deployment.ts";
import { replicaSet } from "../../../src/testing/replica-set.ts";
import { RolloutSync } from "./rollout-sync.ts";

test("a ReplicaSet that is read twice counts once, so that nothing beyond the surge is missed", () => {
  const web = deployment("web", { policy: "TerminationComplete", maxSurge: 1, image: "app:2" });
  const old = replicaSet("old", { owner: "web", size: 3, terminating: 1 });
  const sync = new RolloutSync(web, [old], { now: 0 });
  sync.read(old);
  sync.write(replicaSet("new", { owner: "web", size: 1 }));
  expect(sync.beyondSurge([])).toBe(
    "sizes go from 3 to 4 while 3 Pods and 1 terminating leave room for 0 of 4",
  );
});

test.for([
  { size: 1, want: undefined },
  { size: 2, want: "sizes go from 2 to 4 while 2 Pods and 1 terminating leave room for 1 of 4" },
])("where there is room for one Pod, a new ReplicaSet of $size is held against it", ({ size, want }) => {
  const web = deployment("web", { policy: "TerminationComplete", maxSurge: 1, image: "app:2" });
  const old = replicaSet("old", { owner: "web", size: 2, terminating: 1 });
  const sync = new RolloutSync(web, [old], { now: 0 });
  sync.write(replicaSet("new", { owner: "web", size }));
  expect(sync.beyondSurge([])).toBe(want);
});
