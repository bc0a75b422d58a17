import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { isAvailable, isTerminal } from "../../api/pod-state.ts";
import { pod } from "../../testing/pod.ts";
import { podRevisionLabel } from "../revisions/draft-revision.ts";
import { nodeOfDaemonPod } from "./daemon-pods.ts";
import { daemonState, type StateTraits } from "./daemon-state.cases.ts";
import { type DaemonPlan, type DaemonState, planDaemonSet } from "./plan-daemon-set.ts";
import { updateBudget } from "./update-budget.ts";

const nodeCount = 6;
const nodeNames = Array.from({ length: nodeCount }, (_, index) => String(index + 1));
const podTokens = fc.record({
  on: fc.constantFrom(...nodeNames, "9"),
  revision: fc.constantFrom("o", "n"),
  state: fc.constantFrom("+", "+", "-", "T", "F", "S", "E", "?"),
});
const taints = fc.constantFrom(
  "NoSchedule",
  "NoExecute",
  "PreferNoSchedule",
  undefined,
  undefined,
  undefined,
);
const budgets = fc.constantFrom<StateTraits["set"]>(
  { maxUnavailable: 1 },
  { maxUnavailable: 2 },
  { maxUnavailable: "50%" },
  { maxSurge: 1 },
  { maxSurge: "34%" },
);

const anyState: fc.Arbitrary<DaemonState> = fc
  .record({
    pods: fc.array(podTokens, { maxLength: 10 }),
    effects: fc.array(taints, { minLength: nodeCount, maxLength: nodeCount }),
    set: budgets,
  })
  .map(({ pods, effects, set }) => {
    const unique = new Map(pods.map((each, index) => [`${each.on}${each.revision}${index % 2}`, each]));
    const tainted = effects.flatMap((effect, index) =>
      effect === undefined ? [] : [[nodeNames[index] ?? "", { taints: [{ key: "x", effect }] }] as const],
    );
    return daemonState({
      ...(set !== undefined && { set }),
      nodes: nodeCount,
      nodeTraits: Object.fromEntries(tainted),
      pods: [...unique.values()].map(({ on, revision, state }) => `${on}${revision}${state}`).join(" "),
    });
  });

/** The state that a plan leads to: Pods become available; deleted and terminating ones, and those of lost nodes, are gone. */
function applied(state: DaemonState, plan: DaemonPlan): DaemonState {
  const gone = new Set(plan.deletions.map(({ pod: { metadata } }) => metadata.uid));
  const left = state.pods
    .filter((each) => !gone.has(each.metadata.uid) && !isBeingDeleted(each) && each.spec?.nodeName !== "9")
    .map((each) => (isTerminal(each) ? each : started(each)));
  const created = plan.creations.map(({ node }) => newPod(node, plan.hash, state.pods));
  const later = state.now + 60 * 60_000;
  return { ...state, pods: [...left, ...created], backoffs: plan.backoffs, now: later };
}

function started({ metadata, spec }: Pod): Pod {
  const { status, spec: bound } = pod("any", { node: nodeOfDaemonPod({ metadata, spec }) ?? null });
  return { metadata, spec: { ...bound, ...spec }, status: status ?? {} };
}

function newPod(node: string, hash: string, others: readonly Pod[]): Pod {
  return pod(`${hash}${node}-${others.length}`, { node, labels: { [podRevisionLabel]: hash } });
}

function untilSettled(state: DaemonState): DaemonState {
  let current = state;
  for (let step = 0; step < 60; step++) {
    const plan = planDaemonSet(current);
    const isDone =
      plan.creations.length + plan.deletions.length + plan.waits.length === 0 &&
      !current.pods.some(isBeingDeleted);
    if (isDone) return current;
    current = applied(current, plan);
  }
  throw new Error("the plans do not settle");
}

const kindsOn = (state: DaemonState) => {
  const { status } = planDaemonSet(state);
  return status;
};

test("plans settle with one current Pod on every node that should run one, and none elsewhere", () => {
  fc.assert(
    fc.property(anyState, (state) => {
      const settled = untilSettled(state);
      const { desiredNumberScheduled, currentNumberScheduled, updatedNumberScheduled = 0 } = kindsOn(settled);
      expect(currentNumberScheduled).toBe(desiredNumberScheduled);
      expect(updatedNumberScheduled).toBe(desiredNumberScheduled);
      const excluded = new Set(
        settled.nodes
          .filter(({ spec }) => spec?.taints?.[0]?.effect === "NoExecute")
          .map(({ metadata }) => metadata.name),
      );
      const counted = new Map<string, number>();
      for (const each of settled.pods) {
        const node = nodeOfDaemonPod(each) ?? "";
        counted.set(node, (counted.get(node) ?? 0) + 1);
        expect(excluded.has(node)).toBe(false);
      }
      for (const name of nodeNames) expect(counted.get(name) ?? 0).toBeLessThanOrEqual(1);
    }),
    { numRuns: 100 },
  );
});

test("no plan takes more available Pods from nodes than the budget allows", () => {
  fc.assert(
    fc.property(anyState, (state) => {
      const plan = planDaemonSet(state);
      const taken = plan.deletions.filter(({ because }) => because.kind === "outdated");
      for (const { pod: old } of taken) expect(isAvailable(old, 0, state.now)).toBe(true);
      const { maxUnavailable } = updateBudget(state.daemonSet, plan.status.desiredNumberScheduled);
      const { numberUnavailable = 0 } = plan.status;
      if (taken.length > 0) expect(taken.length + numberUnavailable).toBeLessThanOrEqual(maxUnavailable);
    }),
    { numRuns: 150 },
  );
});

test("a rollout with surge keeps as many nodes available as there were, up to the desired number", () => {
  const surging = anyState.filter(
    ({ daemonSet }) => daemonSet.spec.updateStrategy?.rollingUpdate?.maxSurge !== 0,
  );
  const available = (state: DaemonState) =>
    new Set(
      state.pods
        .filter((each) => !isBeingDeleted(each) && !isTerminal(each) && isAvailable(each, 0, state.now))
        .map(nodeOfDaemonPod),
    ).size;
  fc.assert(
    fc.property(surging, (state) => {
      const plan = planDaemonSet(state);
      if (plan.kind !== "update") return;
      const kept = available({ ...state, pods: applied(state, { ...plan, creations: [] }).pods });
      expect(kept).toBeGreaterThanOrEqual(Math.min(available(state), plan.status.desiredNumberScheduled));
    }),
    { numRuns: 150 },
  );
});

test("a plan creates at most one Pod a node, on nodes that should run one, and deletes no Pod twice", () => {
  fc.assert(
    fc.property(anyState, (state) => {
      const { creations, deletions } = planDaemonSet(state);
      const created = creations.map(({ node }) => node);
      expect(new Set(created).size).toBe(created.length);
      const effectOn = (name: string) =>
        state.nodes.find(({ metadata }) => metadata.name === name)?.spec?.taints?.[0]?.effect ??
        "PreferNoSchedule";
      for (const node of created) expect(effectOn(node)).toBe("PreferNoSchedule");
      const deleted = deletions.map(({ pod: { metadata } }) => metadata.name);
      expect(new Set(deleted).size).toBe(deleted.length);
    }),
    { numRuns: 200 },
  );
});
