import { describe, expect, test } from "vitest";
import { formatFieldError } from "../../api/field-error.ts";
import { parseSchedulerConfig } from "./parse-scheduler-config.ts";
import { spreadFile } from "./proposal-blocks.cases.ts";

const at = "profiles[0].pluginConfig[0].args";

function read(text: string) {
  const parsed = parseSchedulerConfig(text);
  return parsed.ok ? parsed.config.profiles[0]?.args : parsed.errors.map(formatFieldError);
}

const file = (plugin: string, args: string) =>
  spreadFile(args, "v1").replace("name: PodTopologySpread", `name: ${plugin}`);

describe("arguments of PodTopologySpread", () => {
  const one = "{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}";

  test.for([
    {
      name: "a list of several constraints",
      args: `{defaultingType: List, defaultConstraints: [${one}, {maxSkew: 2, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]}`,
      count: 2,
    },
    { name: "an empty list", args: "{defaultingType: List, defaultConstraints: []}", count: 0 },
    { name: "the built-in ones", args: "{defaultingType: System}", count: undefined },
    { name: "the kind said", args: "{kind: PodTopologySpreadArgs, defaultingType: List}", count: 0 },
    {
      name: "policies and least domains",
      args: "{defaultingType: List, defaultConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule, minDomains: 2, nodeTaintsPolicy: Honor}]}",
      count: 1,
    },
  ])("may be $name", ({ args, count }) => {
    expect(read(spreadFile(args, "v1"))).toMatchObject({ PodTopologySpread: {} });
    const parsed = parseSchedulerConfig(spreadFile(args, "v1"));
    const spread = parsed.ok ? parsed.config.profiles[0]?.args.PodTopologySpread : undefined;
    expect(spread?.defaultingType === "List" ? spread.defaultConstraints?.length : undefined).toBe(count);
  });

  test.for([
    {
      name: "an unknown type",
      args: "{defaultingType: Mine}",
      want: [`${at}.defaultingType: Unsupported value: "Mine": supported values: "System", "List"`],
    },
    {
      name: "System with a list",
      args: `{defaultingType: System, defaultConstraints: [${one}]}`,
      want: [
        `${at}.defaultingType: Invalid value: "System": when .defaultConstraints are not empty; add "defaultingType: List" to use this list`,
      ],
    },
    {
      name: "everything wrong with a constraint at once",
      args: "{defaultingType: List, defaultConstraints: [{maxSkew: -1, labelSelector: {}}, {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: Perhaps}]}",
      want: [
        `${at}.defaultConstraints[0].maxSkew: Invalid value: -1: not in valid range (0, inf)`,
        `${at}.defaultConstraints[0].topologyKey: Required value: can not be empty`,
        `${at}.defaultConstraints[0].whenUnsatisfiable: Required value: can not be empty`,
        `${at}.defaultConstraints[0].labelSelector: Forbidden: constraint must not define a selector, as they deduced for each pod`,
        `${at}.defaultConstraints[1].whenUnsatisfiable: Unsupported value: "Perhaps": supported values: "DoNotSchedule", "ScheduleAnyway"`,
      ],
    },
    {
      name: "the same constraint twice",
      args: `{defaultingType: List, defaultConstraints: [${one}, ${one}]}`,
      want: [`${at}.defaultConstraints[1]: Duplicate value: "{zone, DoNotSchedule}"`],
    },
    {
      name: "unknown fields and types of a constraint, without further errors",
      args: "{defaultingType: List, defaultConstraints: [{maxSkew: '1', topologyKey: zone, whenUnsatisfiable: DoNotSchedule, NodeTaintsPolicy: Honor}]}",
      want: [
        `${at}.defaultConstraints[0].maxSkew: Invalid value: "1": must be a whole number of 32 bits`,
        `${at}.defaultConstraints[0].NodeTaintsPolicy: Forbidden: unknown field; did you mean "nodeTaintsPolicy"?`,
      ],
    },
  ])("may not be $name", ({ args, want }) => {
    expect(read(spreadFile(args, "v1"))).toEqual(want);
  });

  test.for([
    {
      name: "beside a list",
      args: `{disableDefaultConstraints: true, defaultConstraints: [${one}]}`,
      want: [`${at}.disableDefaultConstraints: Invalid value: true: when .defaultConstraints are not empty`],
    },
    {
      name: "beside System",
      args: "{disableDefaultConstraints: true, defaultingType: System}",
      want: [`${at}.disableDefaultConstraints: Invalid value: true: when .defaultingType is System`],
    },
  ])("cannot be disabled $name", ({ args, want }) => {
    expect(read(spreadFile(args))).toEqual(want);
  });

  test.for([
    { name: "absent", args: "{}", want: "System" },
    { name: "a list", args: `{defaultConstraints: [${one}]}`, want: "List" },
    { name: "an empty list", args: "{defaultConstraints: []}", want: "List" },
    {
      name: "System beside an empty list",
      args: "{defaultingType: System, defaultConstraints: []}",
      want: "System",
    },
    { name: "not disabled", args: "{disableDefaultConstraints: false}", want: "System" },
    { name: "disabled", args: "{disableDefaultConstraints: true}", want: "List" },
  ])("of v1beta1 that are $name mean $want", ({ args, want }) => {
    expect(read(spreadFile(args))).toMatchObject({ PodTopologySpread: { defaultingType: want } });
  });
});

test("plugins without arguments in the file get defaults", () => {
  expect(read(spreadFile("{}", "v1"))).toMatchObject({
    NodeResourcesFit: { scoringStrategy: { type: "LeastAllocated" } },
    NodeResourcesBalancedAllocation: {},
    NodeAffinity: {},
    InterPodAffinity: {},
  });
});

test("a strategy has its resources and its shape", () => {
  const args =
    "{ignoredResources: [example.com/x], scoringStrategy: {type: RequestedToCapacityRatio, resources: [{name: cpu}, {name: example.com/y, weight: 3}], " +
    "requestedToCapacityRatio: {shape: [{utilization: 0, score: 0}, {utilization: 100, score: 10}]}}}";
  expect(read(file("NodeResourcesFit", args))).toMatchObject({
    NodeResourcesFit: {
      ignoredResources: ["example.com/x"],
      scoringStrategy: {
        type: "RequestedToCapacityRatio",
        shape: [
          { utilization: 0, score: 0 },
          { utilization: 100, score: 10 },
        ],
        resources: [
          { name: "cpu", weight: 1 },
          { name: "example.com/y", weight: 3 },
        ],
      },
    },
  });
});

test.for([
  {
    plugin: "NodeResourcesFit",
    name: "an unknown strategy, a weight out of range, a group with a slash",
    args: "{ignoredResourceGroups: [a/b], scoringStrategy: {type: Best, resources: [{name: cpu, weight: 101}]}}",
    want: [
      `${at}.ignoredResourceGroups[0]: Invalid value: "a/b": resource group name can't contain '/'`,
      `${at}.scoringStrategy.type: Unsupported value: "Best": supported values: "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"`,
      `${at}.scoringStrategy.resources[0].weight: Invalid value: 101: resource weight of cpu not in valid range (0, 100]`,
    ],
  },
  {
    plugin: "NodeResourcesFit",
    name: "a shape without its strategy",
    args: "{scoringStrategy: {requestedToCapacityRatio: {shape: []}}}",
    want: [
      `${at}.scoringStrategy.requestedToCapacityRatio: Forbidden: only with type RequestedToCapacityRatio, not LeastAllocated`,
    ],
  },
  {
    plugin: "NodeResourcesFit",
    name: "a strategy without its shape",
    args: "{scoringStrategy: {type: RequestedToCapacityRatio}}",
    want: [
      `${at}.scoringStrategy.requestedToCapacityRatio: Required value: must be specified when type is RequestedToCapacityRatio`,
    ],
  },
  {
    plugin: "NodeResourcesFit",
    name: "a shape that falls back and leaves its range",
    args: "{scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: [{utilization: 50, score: 11}, {utilization: 50}]}}}",
    want: [
      `${at}.scoringStrategy.requestedToCapacityRatio.shape[0].score: Invalid value: 11: not in valid range [0, 10]`,
      `${at}.scoringStrategy.requestedToCapacityRatio.shape[1].utilization: Invalid value: 50: values must be sorted in increasing order`,
    ],
  },
  {
    plugin: "NodeResourcesBalancedAllocation",
    name: "a resource twice, with a weight",
    args: "{resources: [{name: cpu, weight: 1}, {name: cpu, weight: 2}]}",
    want: [
      `${at}.resources[1].name: Duplicate value: "cpu"`,
      `${at}.resources[1].weight: Invalid value: 2: must be 1`,
    ],
  },
  {
    plugin: "InterPodAffinity",
    name: "a weight out of range",
    args: "{hardPodAffinityWeight: 101}",
    want: [`${at}.hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]`],
  },
  {
    plugin: "NodeAffinity",
    name: "an affinity without terms",
    args: "{addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {}}}",
    want: [
      `${at}.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term`,
    ],
  },
])("$plugin refuses $name", ({ plugin, args, want }) => {
  expect(read(file(plugin, args))).toEqual(want);
});

describe("arguments of DefaultPreemption", () => {
  test("are those of Kubernetes where the file says nothing", () => {
    expect(read(file("DefaultPreemption", "{minCandidateNodesAbsolute: 5}"))).toMatchObject({
      DefaultPreemption: { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 5 },
    });
  });

  test.for([
    {
      args: "{minCandidateNodesPercentage: 101, minCandidateNodesAbsolute: -1}",
      want: [
        `${at}.minCandidateNodesPercentage: Invalid value: 101: not in valid range [0, 100]`,
        `${at}.minCandidateNodesAbsolute: Invalid value: -1: not in valid range [0, inf)`,
      ],
    },
    {
      args: "{minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0}",
      want: [
        `${at}.minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time as minCandidateNodesAbsolute`,
        `${at}.minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at the same time as minCandidateNodesPercentage`,
      ],
    },
  ])("cannot be $args", ({ args, want }) => {
    expect(read(file("DefaultPreemption", args))).toEqual(want);
  });
});
