import { expect, test } from "vitest";
import { decidedAt, type StateTraits } from "../daemon/daemon-state.cases.ts";
import { defaultScheduler } from "./assumed-scheduler.ts";
import { noObjects } from "./cluster-objects.ts";
import { daemonObjects } from "./daemon-objects.cases.ts";
import { daemonPlacementText } from "./daemon-placement-text.ts";
import { type DaemonPlacementExplanation, explainDaemonPlacement } from "./explain-daemon-placement.ts";

const workload = { kind: "DaemonSet", namespace: "default", name: "agent" } as const;

function explained(traits: StateTraits, node = "2"): DaemonPlacementExplanation | undefined {
  const configuration = "the default configuration";
  const question = { workload, node, scheduler: defaultScheduler(), configuration, now: decidedAt };
  return explainDaemonPlacement(daemonObjects(traits), question);
}

function lines(traits: StateTraits, node?: string): readonly string[] {
  const explanation = explained(traits, node);
  return explanation === undefined
    ? []
    : daemonPlacementText(explanation)
        .split("\n")
        .filter((line) => line !== "");
}

const assumed = "Assumed: scheduler default-scheduler with the default configuration.";

test("a node that should run a Pod says what happens next, and that the scheduler would place it", () => {
  expect(lines({ pods: "1n+ 3n+" })).toEqual([
    "DaemonSet default/agent should run a Pod on 2.",
    "It has no Pod on 2.",
    "Next: create, missing: the node has none.",
    "The scheduler would place a new Pod there: 2 fits.",
    assumed,
  ]);
});

test("the scheduler's filters refuse what the DaemonSet would run", () => {
  expect(lines({ pods: "1n+", nodeTraits: { 2: { allocatable: { pods: "0" } } } })).toEqual([
    "DaemonSet default/agent should run a Pod on 2.",
    "It has no Pod on 2.",
    "Next: create, missing: the node has none.",
    "The scheduler would not place a new Pod there: Too many pods.",
    expect.stringMatching(/^Making room: /),
    assumed,
  ]);
});

test("the Pod that is there does not keep a new one away", () => {
  const traits = { pods: "2n+", nodeTraits: { 2: { allocatable: { pods: "1" } } } };
  expect(explained(traits)?.placement).toMatchObject({ fits: true, reasons: [] });
});

const dedicated = { key: "dedicated", value: "gpu" };

test.each([
  {
    refused: "a taint NoSchedule",
    nodeTraits: { 2: { taints: [{ ...dedicated, effect: "NoSchedule" }] } },
    line: "DaemonSet default/agent gets no new Pod on 2, but keeps one that is there: it does not tolerate the taint dedicated=gpu:NoSchedule.",
    by: "taint",
  },
  {
    refused: "a taint NoExecute",
    nodeTraits: { 2: { taints: [{ ...dedicated, effect: "NoExecute" }] } },
    line: "DaemonSet default/agent should run no Pod on 2: it does not tolerate the taint dedicated=gpu:NoExecute.",
    by: "taint",
  },
  {
    refused: "a node selector",
    set: { podSpec: { nodeSelector: { disk: "ssd" } } },
    line: "DaemonSet default/agent should run no Pod on 2: the node lacks the label disk=ssd of its node selector.",
    by: "selector",
  },
  {
    refused: "a required affinity",
    set: {
      podSpec: {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: "disk", operator: "In", values: ["ssd"] }] }],
            },
          },
        },
      },
    },
    line: "DaemonSet default/agent should run no Pod on 2: the node does not match its node affinity (disk In ssd).",
    by: "affinity",
  },
])("$refused says why, and the scheduler is not asked", ({ line, by, ...traits }) => {
  expect(lines(traits)).toEqual([line, "It has no Pod on 2."]);
  expect(explained(traits)).toMatchObject({ refusal: { by } });
});

test("nothing is explained for a DaemonSet or a node that is not there", () => {
  expect(explained({}, "node-9")).toBeUndefined();
  const question = { workload, node: "2", scheduler: defaultScheduler(), configuration: "", now: decidedAt };
  expect(explainDaemonPlacement(noObjects, question)).toBeUndefined();
});
