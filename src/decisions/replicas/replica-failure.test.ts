import { expect, test } from "vitest";
import type { ReplicaSetCondition } from "../../api/generated/apps-v1.ts";
import { parseTime } from "../../api/time.ts";
import { type Conditions, type ManageOutcome, withReplicaFailure } from "./replica-failure.ts";

const now = parseTime("2026-01-02T00:00:00Z") ?? 0;

const foreign: ReplicaSetCondition = { type: "Blessed", status: "True", reason: "Sunday" };
const failure: ReplicaSetCondition = {
  type: "ReplicaFailure",
  status: "True",
  lastTransitionTime: "2026-01-01T00:00:00Z",
  reason: "FailedCreate",
  message: "quota exceeded",
};
const fresh = { ...failure, lastTransitionTime: "2026-01-02T00:00:00Z" };
const failed = { kind: "failed", reason: "FailedCreate", message: "quota exceeded" } as const;

interface Case {
  readonly name: string;
  readonly conditions?: Conditions;
  readonly managed: ManageOutcome;
  readonly want: Conditions;
}

const cases: readonly Case[] = [
  { name: "a failed creation is told", managed: failed, want: [fresh] },
  {
    name: "a failed deletion is told as such",
    managed: { ...failed, reason: "FailedDelete" },
    want: [{ ...fresh, reason: "FailedDelete" }],
  },
  {
    name: "it is told behind what others tell",
    conditions: [foreign],
    managed: failed,
    want: [foreign, fresh],
  },
  {
    name: "a failure that names another Pod changes nothing",
    conditions: [{ ...failure, message: 'pods "web-x7k2p" is forbidden: quota exceeded' }],
    managed: { ...failed, message: 'pods "web-bcd42" is forbidden: quota exceeded' },
    want: [{ ...failure, message: 'pods "web-x7k2p" is forbidden: quota exceeded' }],
  },
  { name: "the same failure again changes nothing", conditions: [failure], managed: failed, want: [failure] },
  {
    name: "another message is told, of the same failure since the same time",
    conditions: [failure, foreign],
    managed: { ...failed, message: "webhook refused" },
    want: [foreign, { ...failure, message: "webhook refused" }],
  },
  {
    name: "another reason is told",
    conditions: [failure],
    managed: { ...failed, reason: "FailedDelete" },
    want: [{ ...failure, reason: "FailedDelete" }],
  },
  {
    name: "a failure that was over begins anew",
    conditions: [{ ...failure, status: "False" }],
    managed: failed,
    want: [fresh],
  },
  {
    name: "success ends it, and others' conditions stay in order",
    conditions: [failure, foreign],
    managed: { kind: "succeeded" },
    want: [foreign],
  },
  {
    name: "its end leaves no empty list",
    conditions: [failure],
    managed: { kind: "succeeded" },
    want: undefined,
  },
  { name: "success without a failure changes nothing", managed: { kind: "succeeded" }, want: undefined },
  {
    name: "it stays while nothing is tried",
    conditions: [failure],
    managed: { kind: "skipped" },
    want: [failure],
  },
  { name: "an empty list is none", conditions: [], managed: { kind: "skipped" }, want: undefined },
];

test.for(cases)("ReplicaFailure: $name", ({ conditions, managed, want }) => {
  expect(withReplicaFailure(conditions, managed, now)).toEqual(want);
});
