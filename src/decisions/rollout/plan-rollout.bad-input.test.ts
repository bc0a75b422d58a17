import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pod } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { describeRevisionLimit } from "../explain/describe-limit.ts";
import { applyToState } from "./action.ts";
import { isCount } from "./counts.ts";
import { planRollout } from "./plan-rollout.ts";
import type { RolloutState } from "./state.ts";

const picker = { http: { host: "picker", port: 80 } };
const condition = {
  type: "Progressing",
  status: "True",
  reason: "ReplicaSetUpdated",
  lastUpdateTime: "2026-01-01T11:00:00Z",
};
const status = {
  replicas: 11,
  updatedReplicas: 3,
  conditions: [condition],
  collisionCount: 1,
  observedGeneration: 1,
};
const failing = [
  {
    type: "ReplicaFailure",
    status: "True",
    reason: "FailedCreate",
    lastTransitionTime: "2026-01-01T11:00:00Z",
  },
];
const sized = { desired: 10, max: 13, revision: 1 };

/** Everything a decision reads is there, so that everything can be spoilt. */
const whole = rolloutState(
  {
    image: "v2",
    replicas: 10,
    policy: "TerminationComplete",
    minReadySeconds: 1,
    paused: false,
    picker,
    status,
    annotations: { a: "b" },
  },
  [
    replicaSet("first", { image: "v1", size: 8, picker, before: 7, ...sized, conditions: failing }),
    replicaSet("second", { image: "v2", size: 3, owner: "web", ...sized }),
    replicaSet("third", { image: "v3", size: 0, ...sized }),
  ],
  { pods: [pod("one"), pod("two", { deletedAt: "2026-01-01T11:00:00Z" })] },
);

type Path = readonly (string | number)[];

function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const inside = Object.entries(value).flatMap(([key, member]) => pathsIn(member, [...path, key]));
  return path.length === 0 ? inside : [path, ...inside];
}

const given: ReadonlySet<unknown> = new Set(["replicaSets", "pods", "deployment"]);
/** What is always there is the list itself and the gates; all that they hold may be anything. */
const paths = pathsIn(whole).filter(
  (path) => path[0] !== "gates" && !(path.length === 1 && given.has(path[0])),
);

const nonsense = fc.constantFrom<unknown>(
  undefined,
  null,
  "",
  "x",
  "25%",
  "-1",
  "99999999999999999999",
  -1,
  0,
  1,
  2.5,
  3e9,
  1e300,
  NaN,
  Infinity,
  true,
  false,
  [],
  {},
  [null],
  [[]],
);

function spoil(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((member: unknown, index) =>
      String(index) === String(key) ? spoil(member, rest, replacement) : member,
    );
  }
  return { ...value, [key]: spoil((value as Record<string, unknown>)[key], rest, replacement) };
}

const spoils = fc.array(fc.tuple(fc.constantFrom(...paths), nonsense), { minLength: 1, maxLength: 4 });
const strategies = fc.constantFrom("RollingUpdate", "Recreate", "Sideways", undefined, null, 7);

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}

test("no input makes a plan throw, touch its input, depend on anything else or ask for an impossible size", () => {
  fc.assert(
    fc.property(spoils, strategies, (changes, type) => {
      const state = changes.reduce<unknown>(
        (before, [path, value]) => spoil(before, path, value),
        whole,
      ) as RolloutState;
      const strategy = { ...state.deployment?.spec?.strategy, type };
      const input = deepFreeze(
        type === undefined
          ? state
          : (spoil(state, ["deployment", "spec", "strategy"], strategy) as RolloutState),
      );
      const plan = planRollout(input);
      expect(planRollout(input)).toEqual(plan);
      for (const limit of plan.limits) expect(describeRevisionLimit(limit)).not.toContain("undefined");
      for (const action of plan.actions) {
        if (action.kind !== "update-replica-set" && action.kind !== "create-replica-set") continue;
        expect(action.replicaSet.spec.replicas ?? 1).toSatisfy(
          (size) => isCount(size) || !changed(input, action.replicaSet),
        );
      }
      plan.actions.reduce(applyToState, input);
    }),
    { numRuns: 1500 },
  );
});

/** Whether a plan changed the size of a ReplicaSet: one that it did not touch may well be nonsense. */
function changed(
  { replicaSets }: RolloutState,
  { metadata, spec }: { metadata: { name?: string }; spec: { replicas?: number } },
): boolean {
  return replicaSets.some(
    (each) => each?.metadata?.name === metadata.name && !Object.is(each.spec.replicas, spec.replicas),
  );
}

test("the order in which ReplicaSets are given makes no difference", () => {
  const { replicaSets } = whole;
  expect(planRollout({ ...whole, replicaSets: replicaSets.toReversed() })).toEqual(planRollout(whole));
});

describe("a malformed Deployment", () => {
  test.for([
    { name: "has negative replicas", spec: { replicas: -1 }, field: "spec.replicas" },
    { name: "has half a replica", spec: { replicas: 1.5 }, field: "spec.replicas" },
    {
      name: "has more replicas than an API server can store",
      spec: { replicas: 3e9 },
      field: "spec.replicas",
    },
    {
      name: "has an unknown strategy",
      spec: { strategy: { type: "Sideways" } },
      field: "spec.strategy.type",
    },
    {
      name: "has a surge that is no percentage",
      spec: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "lots" } } },
      field: "spec.strategy.rollingUpdate",
    },
    { name: "has no selector", spec: { selector: undefined }, field: "spec.selector" },
    { name: "has no template", spec: { template: null }, field: "spec.template" },
  ])("$name: nothing is done, and it is said why", ({ spec, field }) => {
    const deployment = {
      ...whole.deployment,
      spec: { ...whole.deployment.spec, ...spec },
    } as RolloutState["deployment"];
    expect(planRollout({ ...whole, deployment })).toMatchObject({
      kind: "none",
      actions: [],
      outcome: { kind: "invalid", errors: [{ field }] },
    });
  });
});
