import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { planRollout } from "../rollout/plan-rollout.ts";
import { DecisionLog } from "../../machinery/diagnostics/decision-log.ts";
import { deployment } from "../../testing/deployment.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { type RolloutDecision, rolloutEncoder, type RolloutRecord } from "./rollout-record.ts";

const start = 1_767_225_600_000;

type RolloutLog = DecisionLog<RolloutDecision, RolloutRecord>;

/** Records a pass over a Deployment that has nothing yet, or that is paused. */
function decide(records: RolloutLog, name: string, { at = 0, paused = false } = {}): void {
  const one = deployment(name, { paused });
  const state = { deployment: one, replicaSets: [], gates: defaultFeatureGates, now: start + at * 1000 };
  records.add({ ...state, plan: planRollout(state) });
}

const anything = { namespace: "", name: "" };
const seen = (records: RolloutLog, about = anything) =>
  records.find(about).map(({ time, workload }) => `${time.slice(17, 19)} ${workload.name}`);

test("a record says what kind of pass it was, what was done, and what limits each revision", () => {
  const records = new DecisionLog(rolloutEncoder);
  decide(records, "web");
  expect(records.find({ namespace: "default", name: "web" })).toMatchObject([
    {
      time: "2026-01-01T00:00:00.000000Z",
      workload: { kind: "Deployment", namespace: "default", name: "web", uid: "uid-of-web" },
      pass: "rolling-update",
      actions: ["create-replica-set", "update-status", "update-status"],
      revisions: [
        {
          role: "new",
          size: 3,
          reason: "waits for its Pods, at most 600 s without progress: 0 of 3 available",
        },
      ],
    },
  ]);
});

test("the newest come first, and names choose among them", () => {
  const records = new DecisionLog(rolloutEncoder);
  decide(records, "one", { at: 1 });
  decide(records, "two", { at: 2 });
  decide(records, "one", { at: 3 });
  expect(seen(records)).toEqual(["03 one", "02 two", "01 one"]);
  expect(seen(records, { namespace: "", name: "two" })).toEqual(["02 two"]);
  expect(seen(records, { namespace: "elsewhere", name: "" })).toEqual([]);
});

describe("a pass that does nothing", () => {
  const idle = (change: Partial<RolloutDecision> = {}) => {
    const state = rolloutState({ paused: true }, []);
    return { ...state, plan: { ...planRollout(state), actions: [] }, ...change };
  };
  const second = idle().now + 1000;

  test("and says nothing new is not kept again", () => {
    const records = new DecisionLog(rolloutEncoder);
    records.add(idle());
    records.add(idle({ now: second }));
    expect(seen(records)).toEqual(["00 web"]);
  });

  test.for([
    {
      name: "went by other gates",
      change: { gates: { ...defaultFeatureGates, DeploymentPodReplacementPolicy: false } },
    },
    { name: "was of another kind", change: { plan: { ...idle().plan, kind: "status" } as const } },
    {
      name: "was over another Deployment of that name",
      change: { deployment: deployment("web", { uid: "another", paused: true }) },
    },
  ])("but $name is kept", ({ change }) => {
    const records = new DecisionLog(rolloutEncoder);
    records.add(idle());
    records.add(idle({ now: second, ...change }));
    expect(seen(records)).toEqual(["01 web", "00 web"]);
  });
});

test("of each Deployment the latest are kept, and of all together the latest", () => {
  const records = new DecisionLog(rolloutEncoder, { perObject: 2, weight: 6 }); // three with one revision each
  for (let at = 0; at < 4; at++) decide(records, "one", { at });
  expect(seen(records)).toEqual(["03 one", "02 one"]);
  decide(records, "two", { at: 5 });
  decide(records, "one", { at: 6 });
  decide(records, "three", { at: 7 });
  expect(seen(records)).toEqual(["07 three", "06 one", "05 two"]);
});
