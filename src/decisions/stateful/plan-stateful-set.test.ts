import { describe, expect, test } from "vitest";
import { type Given, planned } from "./stateful-state.cases.ts";

interface Row {
  readonly name: string;
  readonly given: Given;
  readonly does: readonly string[];
  readonly waits?: readonly string[];
  readonly status?: object;
  readonly recheckInMs?: number;
}

const check = ({ given, does, waits, status, recheckInMs }: Row) => {
  const plan = planned(given);
  expect(plan.does).toEqual(does);
  if (waits !== undefined) expect(plan.waits).toEqual(waits);
  if (status !== undefined) expect(plan.status).toMatchObject(status);
  if (recheckInMs !== undefined) expect(plan.recheckInMs).toBe(recheckInMs);
};

const updated: Given = { template: "R2", revisions: "R1 R2" };

describe("Pods are started in their order", () => {
  test.for<Row>([
    {
      name: "the first one at first",
      given: { revisions: "", current: "" },
      does: ["create 0@new"],
      waits: ["created 0"],
      status: { replicas: 0, availableReplicas: 0 },
    },
    {
      name: "none before it is ready",
      given: { pods: "0…" },
      does: [],
      waits: ["not-ready 0"],
      status: { replicas: 1, currentReplicas: 1, updatedReplicas: 1 },
    },
    {
      name: "the next once it is",
      given: { pods: "0✓" },
      does: ["create 1@R1"],
      status: { readyReplicas: 1 },
    },
    { name: "and the last", given: { pods: "0✓ 1✓" }, does: ["create 2@R1"] },
    { name: "none when all are there", given: { pods: "0✓ 1✓ 2✓" }, does: [], waits: [] },
    { name: "none while the first is sick, though more are wanted", given: { pods: "0✗" }, does: [] },
    {
      name: "none in the place of one that is terminating",
      given: { pods: "0T 1✗", replicas: 2 },
      does: [],
      waits: ["terminating 0"],
    },
    {
      name: "the lowest one that is missing, though a higher one is sick",
      given: { pods: "1✗", replicas: 2 },
      does: ["create 0@R1"],
    },
    {
      name: "all at once if they need no order",
      given: { isParallel: true },
      does: ["create 0@R1", "create 1@R1, create 2@R1"],
    },
    {
      name: "in batches of ordinals, not of those that are missing",
      given: { isParallel: true, replicas: 7, pods: "0✓ 2✓" },
      does: ["create 1@R1", "create 3@R1, create 4@R1, create 5@R1, create 6@R1"],
    },
    {
      name: "one that has failed goes first",
      given: { pods: "0✓ 1F 2✓" },
      does: ["delete 1 ended"],
      waits: ["ended 1"],
    },
    { name: "and so does one that has succeeded", given: { pods: "0✓ 1S 2✓" }, does: ["delete 1 ended"] },
    { name: "and is made anew once it is gone", given: { pods: "0✓ 2✓" }, does: ["create 1@R1"] },
    {
      name: "a start moves the ordinals: first the new ones are made",
      given: { pods: "0✓ 1✓", spec: { ordinals: { start: 2 } } },
      does: ["create 2@R1"],
    },
    {
      name: "then the old ones go",
      given: { pods: "0✓ 1✓ 2✓ 3✓ 4✓", spec: { ordinals: { start: 2 } } },
      does: ["delete 1 scaled-down"],
      waits: ["deleted 1"],
    },
    {
      name: "a lower start does the same from above",
      given: { pods: "2✓ 3✓ 4✓", replicas: 2, spec: { ordinals: { start: 2 } } },
      does: ["delete 4 scaled-down"],
    },
    {
      name: "nothing for a set that is being deleted",
      given: { deletedAt: "2026-01-01T00:30:00Z" },
      does: [],
      status: { replicas: 0 },
    },
    { name: "ordinals beyond 32 bits are nobody's", given: { pods: "0✓ 1✓ 2✓ 2147483648✓" }, does: [] },
    {
      name: "a number of replicas that no machine has is begun with",
      given: { replicas: 2_000_000_000, pods: "0✓" },
      does: ["create 1@R1"],
    },
  ])("$name", check);
});

describe("Pods are removed from above", () => {
  test.for<Row>([
    {
      name: "one at a time",
      given: { pods: "0✓ 1✓ 2✓", replicas: 1 },
      does: ["delete 2 scaled-down"],
      waits: ["deleted 2"],
    },
    {
      name: "waiting for its end",
      given: { pods: "0✓ 1✓ 2T", replicas: 1 },
      does: [],
      waits: ["terminating 2"],
    },
    { name: "then the next", given: { pods: "0✓ 1✓", replicas: 1 }, does: ["delete 1 scaled-down"] },
    {
      name: "none while a lower one that goes too is sick",
      given: { pods: "0✗ 1✗ 2✗", replicas: 0 },
      does: [],
      waits: ["unhealthy-condemned 2"],
    },
    {
      name: "a healthy one although lower ones are sick",
      given: { pods: "0✗ 1✗ 2✓", replicas: 0 },
      does: ["delete 2 scaled-down"],
    },
    { name: "but then none of the sick ones", given: { pods: "0✗ 1✗", replicas: 0 }, does: [] },
    {
      name: "a sick one if it is the only one",
      given: { pods: "0✓ 1✓ 2✗", replicas: 2 },
      does: ["delete 2 scaled-down"],
    },
    {
      name: "the upper healthy one before the sick one",
      given: { pods: "0✓ 1✗ 2✓", replicas: 1 },
      does: ["delete 2 scaled-down"],
    },
    { name: "and then the sick one", given: { pods: "0✓ 1✗", replicas: 1 }, does: ["delete 1 scaled-down"] },
    {
      name: "none while one that stays is sick",
      given: { pods: "0✗ 1✓ 2✓", replicas: 2 },
      does: [],
      waits: ["not-ready 0"],
    },
    {
      name: "all at once if they need no order",
      given: { pods: "0✗ 1✗ 2✗", replicas: 0, isParallel: true },
      does: ["delete 2 scaled-down", "delete 1 scaled-down, delete 0 scaled-down"],
    },
  ])("$name", check);
});

describe("an update replaces Pods from above", () => {
  test.for<Row>([
    {
      name: "with a new revision",
      given: { ...updated, template: "R0", pods: "0✓ 1✓ 2✓" },
      does: ["delete 2 outdated"],
      status: { currentRevision: "R1", currentReplicas: 2, replicas: 3 },
    },
    {
      name: "waiting for its end",
      given: { ...updated, pods: "0✓ 1✓ 2T" },
      does: [],
      waits: ["terminating 2"],
    },
    {
      name: "making it anew at the new revision",
      given: { ...updated, pods: "0✓ 1✓" },
      does: ["create 2@R2"],
    },
    {
      name: "and then the next",
      given: { ...updated, pods: "0✓ 1✓ 2✓@R2" },
      does: ["delete 1 outdated"],
      status: { updatedReplicas: 1, currentReplicas: 1 },
    },
    {
      name: "until the new revision is the current one",
      given: { ...updated, pods: "0✓@R2 1✓@R2 2✓@R2" },
      does: [],
      status: { currentRevision: "R2", updateRevision: "R2", currentReplicas: 3, updatedReplicas: 3 },
    },
    {
      name: "back again, when the template is put back while it runs",
      given: { revisions: "R1 R2", pods: "0✓ 1✓ 2✓@R2" },
      does: ["delete 2 outdated"],
      status: { updateRevision: "R1", currentRevision: "R1" },
    },
    {
      name: "never one that is not ready, even if its revision is no longer wanted",
      given: { revisions: "R2 R1", pods: "0✓ 1✓ 2✗@R2" },
      does: [],
      waits: ["blocked-by-own-revision 2"],
    },
    {
      name: "which returns at the right one if somebody deletes it",
      given: { revisions: "R2 R1", pods: "0✓ 1✓" },
      does: ["create 2@R1"],
    },
    {
      name: "such a one too if they need no order",
      given: { revisions: "R2 R1", pods: "0✓ 1✓ 2✗@R2", isParallel: true },
      does: ["delete 2 outdated"],
    },
    {
      name: "but not if it uses up the budget",
      given: { revisions: "R2 R1", pods: "0✓ 1✓ 2✗@R2", isParallel: true, hasMaxUnavailable: true },
      does: [],
      waits: ["blocked-by-own-revision 2", "budget"],
    },
    {
      name: "one at a time even if they need no order",
      given: { ...updated, isParallel: true, pods: "0✓ 1✓ 2…@R2" },
      does: [],
      waits: ["not-ready 2", "updating 2"],
    },
    {
      name: "whatever the health of lower ones, if they need no order",
      given: { ...updated, isParallel: true, pods: "0✗ 1✓ 2✓@R2" },
      does: ["delete 1 outdated"],
    },
    {
      name: "down to the partition: none of 3",
      given: { ...updated, partition: 3, pods: "0✓ 1✓ 2✓" },
      does: [],
      waits: ["partition"],
      status: { currentRevision: "R1", updateRevision: "R2", currentReplicas: 3 },
    },
    {
      name: "down to the partition: one of 3",
      given: { ...updated, partition: 2, pods: "0✓ 1✓ 2✓@R2" },
      does: [],
      status: { currentRevision: "R1", currentReplicas: 2, updatedReplicas: 1 },
    },
    {
      name: "below the partition a lost one returns at the old revision",
      given: { ...updated, partition: 2, pods: "1✓" },
      does: ["create 0@R1"],
    },
    {
      name: "above it at the new one",
      given: { ...updated, partition: 2, pods: "0✓ 1✓" },
      does: ["create 2@R2"],
    },
    {
      name: "a lower partition lets it go on",
      given: { ...updated, partition: 1, pods: "0✓ 1✓ 2✓@R2" },
      does: ["delete 1 outdated"],
    },
    {
      name: "one held by a finalizer is waited for",
      given: { ...updated, partition: 1, pods: "0T 1✓@R2 2✓@R2" },
      does: [],
      waits: ["terminating 0"],
    },
    {
      name: "whether it has failed or not",
      given: { ...updated, partition: 1, pods: "0F 1✓@R2 2✓@R2" },
      does: ["delete 0 ended"],
    },
    {
      name: "the partition counts from the start",
      given: { ...updated, partition: 1, pods: "2✓ 3✓ 4✓@R2", spec: { ordinals: { start: 2 } } },
      does: ["delete 3 outdated"],
    },
    {
      name: "and keeps the lowest",
      given: { ...updated, partition: 1, pods: "2✓ 3✓@R2 4✓@R2", spec: { ordinals: { start: 2 } } },
      does: [],
      waits: ["partition"],
    },
    {
      name: "with OnDelete none",
      given: { ...updated, pods: "0✓ 1✓ 2✓", spec: { updateStrategy: { type: "OnDelete" } } },
      does: [],
      waits: ["on-delete"],
    },
    {
      name: "with OnDelete one that somebody deletes",
      given: { ...updated, pods: "0✓ 2✓", spec: { updateStrategy: { type: "OnDelete" } } },
      does: ["create 1@R2"],
    },
    {
      name: "with OnDelete the current revision stays",
      given: { ...updated, pods: "0✓@R2 1✓@R2 2✓@R2", spec: { updateStrategy: { type: "OnDelete" } } },
      does: [],
      status: { currentRevision: "R1", updatedReplicas: 3 },
    },
    {
      name: "without a block, ordinals below the count of the current revision keep it",
      given: {
        ...updated,
        pods: "0✓",
        spec: { updateStrategy: { type: "RollingUpdate" } },
        status: { currentReplicas: 2 },
      },
      does: ["create 1@R1"],
    },
    {
      name: "without a block, those above do not",
      given: {
        ...updated,
        pods: "0✓ 1✓",
        spec: { updateStrategy: { type: "RollingUpdate" } },
        status: { currentReplicas: 2 },
      },
      does: ["create 2@R2"],
    },
    {
      name: "of a third revision, without a negative count of the current one",
      given: { template: "R3", revisions: "R1 R2 R3", isParallel: true, pods: "0✓@R2 1✗@R2 2✓@R2" },
      does: ["delete 2 outdated"],
      status: { replicas: 3, currentRevision: "R1" },
    },
  ])("$name", check);
});

describe("with maxUnavailable", () => {
  const two: Given = {
    ...updated,
    hasMaxUnavailable: true,
    replicas: 6,
    spec: {
      podManagementPolicy: "Parallel",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 3, maxUnavailable: 2 } },
    },
  };
  const ordered = { ...two, spec: { ...two.spec, podManagementPolicy: "OrderedReady" } };
  test.for<Row>([
    {
      name: "two Pods go",
      given: { ...two, pods: "0✓ 1✓ 2✓ 3✓ 4✓ 5✓" },
      does: ["delete 5 outdated", "delete 4 outdated"],
      waits: ["budget", "partition"],
    },
    {
      name: "both come back at once",
      given: { ...two, pods: "0✓ 1✓ 2✓ 3✓" },
      does: ["create 4@R2, create 5@R2"],
    },
    {
      name: "one that is back makes room for one",
      given: { ...two, pods: "0✓ 1✓ 2✓ 3✓ 4✓@R2 5…@R2" },
      does: ["delete 3 outdated"],
    },
    {
      name: "in order they come back one by one",
      given: { ...ordered, pods: "0✓ 1✓ 2✓ 3✓" },
      does: ["create 4@R2"],
    },
    {
      name: "in order the second follows the first",
      given: { ...ordered, pods: "0✓ 1✓ 2✓ 3✓ 4✓@R2" },
      does: ["create 5@R2"],
    },
    {
      name: "in order the last goes after both",
      given: { ...ordered, pods: "0✓ 1✓ 2✓ 3✓ 4✓@R2 5✓@R2" },
      does: ["delete 3 outdated"],
    },
    {
      name: "it does nothing while its gate is off",
      given: { ...two, hasMaxUnavailable: false, pods: "0✓ 1✓ 2✓ 3✓ 4✓ 5✓" },
      does: ["delete 5 outdated"],
    },
    {
      name: "a percentage is rounded down, and is at least one Pod",
      given: {
        ...two,
        pods: "0✓ 1✓ 2✓ 3✓ 4✓ 5✓",
        spec: {
          ...two.spec,
          updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "33%" } },
        },
      },
      does: ["delete 5 outdated"],
    },
  ])("$name", check);
});

describe("minReadySeconds", () => {
  const spec = { minReadySeconds: 30 };
  test.for<Row>([
    {
      name: "delay the next Pod, until a timer wakes the set",
      given: { pods: "0✓10", replicas: 2, spec },
      does: [],
      waits: ["not-available 0"],
      status: { readyReplicas: 1, availableReplicas: 0 },
      recheckInMs: 20_000,
    },
    { name: "let it start then", given: { pods: "0✓30", replicas: 2, spec }, does: ["create 1@R1"] },
    {
      name: "make Pods unavailable again, and touch none of them",
      given: { pods: "0✓60 1✓60", replicas: 2, spec: { minReadySeconds: 3600 } },
      does: [],
      status: { readyReplicas: 2, availableReplicas: 0 },
    },
  ])("$name", check);
});
