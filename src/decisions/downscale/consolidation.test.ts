import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { node } from "../../testing/node.ts";
import { pod, type PodTraits } from "../../testing/pod.ts";
import { gatherRemoval } from "../gather/gather-removal.ts";
import { listReader } from "../gather/workload-reader.ts";
import { removalFacts } from "../replicas/removal-facts.ts";
import { removalReason } from "../explain/removal-reason.ts";
import { chooseVictims } from "./choose-victims.ts";

const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web" };
const others = { app: "other" };

/** Removes Pods of `web` from nodes with these Pods besides, and says from where and why. */
function removed(
  count: number,
  annotations: Readonly<Record<string, string>>,
  isCordoned: readonly string[] = [],
) {
  const web = replicaSet("web", { size: 0, annotations });
  const on = (name: string, traits: PodTraits) =>
    pod(name, { labels: { "pod-template-hash": "web" }, owner: { ...owner }, ...traits });
  const mine = ["a-1", "a-2", "b-1", "c-1"].map((name) => on(name, { node: name.slice(0, 1) }));
  const daemon = { apiVersion: "apps/v1", kind: "DaemonSet", name: "agent" };
  const rest = [
    pod("other-b", { labels: others, node: "b", namespace: "elsewhere" }),
    pod("other-c", { labels: others, node: "c" }),
    pod("other-c2", { labels: others, node: "c" }),
    pod("agent", { labels: others, node: "a", owner: daemon }),
  ];
  const nodes = ["a", "b", "c"].map((name) => node(name, { unschedulable: isCordoned.includes(name) }));
  const lists = {
    pods: [...mine, ...rest],
    nodes,
    services: [],
    replicaSets: [web],
    replicationControllers: [],
  };
  const state = gatherRemoval(web, listReader(lists), { gates: defaultFeatureGates, now: 0 });
  const active = mine.map((each) => each);
  const { victims } = chooseVictims(active, count, removalFacts({ ...state, active }));
  return victims.map((victim) => `${victim.pod.metadata.name} ${removalReason(victim)}`);
}

const consolidate = { "trimtab.dev/removal-order": "consolidate" };

test("the node with the fewest Pods of any workload is emptied first, and all of it before the next", () => {
  // Two Pods each on a and b: daemon Pods do not count, and the name of the node keeps them together.
  expect(removed(2, consolidate)).toEqual([
    expect.stringMatching(/^a-[12] consolidate: a is emptied first, b-1 is on b$/),
    expect.stringMatching(/^a-[12] consolidate: a is emptied first, b-1 is on b$/),
  ]);
  expect(removed(3, consolidate)[2]).toBe("b-1 consolidate: 2 Pods in all on b, c-1 has 3 on c");
});

test("a node that is cordoned goes before all others", () => {
  expect(removed(1, consolidate, ["c"])).toEqual([
    expect.stringMatching(/^c-1 consolidate: c is to be empty, a-[12] is on a$/),
  ]);
});

test("it and the spread exclude each other", () => {
  const both = { ...consolidate, "trimtab.dev/scale-down-spread": "true" };
  expect(removed(1, both)[0]).not.toMatch("consolidate");
});
