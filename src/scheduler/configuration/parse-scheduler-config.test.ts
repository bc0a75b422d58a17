import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { formatFieldError } from "../../api/field-error.ts";
import { parseSchedulerConfig } from "./parse-scheduler-config.ts";
import { spreadFile } from "./proposal-blocks.cases.ts";
import { defaultSchedulerConfig } from "./scheduler-config.ts";

const header = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";
const off = { ...defaultFeatureGates, DefaultPodTopologySpread: false };

function errorsOf(body: string): readonly string[] {
  const parsed = parseSchedulerConfig(body.startsWith("apiVersion") ? body : header + body);
  return parsed.ok ? [] : parsed.errors.map(formatFieldError);
}

function warningsOf(body: string): readonly string[] {
  const parsed = parseSchedulerConfig(header + body);
  return parsed.ok ? parsed.warnings : [`not read: ${parsed.errors.map(formatFieldError).join()}`];
}

test("a file that says nothing gives the defaults", () => {
  expect(parseSchedulerConfig(header)).toEqual({
    ok: true,
    config: defaultSchedulerConfig(defaultFeatureGates),
    warnings: [],
  });
  expect(defaultSchedulerConfig(defaultFeatureGates)).toMatchObject({
    podInitialBackoffSeconds: 1,
    podMaxBackoffSeconds: 10,
    profiles: [{ schedulerName: "default-scheduler", percentageOfNodesToScore: 0 }],
  });
});

test("JSON is read as well", () => {
  const json = '{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration"}';
  expect(parseSchedulerConfig(json)).toMatchObject({ ok: true });
});

test("a profile's percentage wins over the one for all", () => {
  const parsed = parseSchedulerConfig(
    `${header}percentageOfNodesToScore: 30\nprofiles: [{schedulerName: a, percentageOfNodesToScore: 0}, {schedulerName: b}]`,
  );
  expect(parsed.ok && parsed.config.profiles.map((profile) => profile.percentageOfNodesToScore)).toEqual([
    0, 30,
  ]);
});

describe("a wrong file", () => {
  test.for([
    {
      name: "is no YAML",
      body: "profiles: [",
      want: [expect.stringMatching(/^the file: Invalid value: 3:\d+: Flow sequence/)],
    },
    {
      name: "has a key twice",
      body: "parallelism: 1\nparallelism: 2",
      want: [expect.stringMatching(/^the file: Invalid value: 4:1: Map keys must be unique/)],
    },
    {
      name: "holds no object",
      body: "apiVersion",
      want: ["the file: Invalid value: an object was expected, with kind KubeSchedulerConfiguration"],
    },
    {
      name: "is of another version and kind",
      body: "apiVersion: kubescheduler.config.k8s.io/v1beta3\nkind: Policy",
      want: [
        'apiVersion: Unsupported value: "kubescheduler.config.k8s.io/v1beta3": supported values: ' +
          '"kubescheduler.config.k8s.io/v1", "kubescheduler.config.k8s.io/v1beta1"',
        'kind: Unsupported value: "Policy": supported values: "KubeSchedulerConfiguration"',
      ],
    },
    {
      name: "has unknown fields",
      body: "Profiles: []\nprofiles: [{schedulername: x, plugins: {score: {weights: []}}}]",
      want: [
        'Profiles: Forbidden: unknown field; did you mean "profiles"?',
        'profiles[0].schedulername: Forbidden: unknown field; did you mean "schedulerName"?',
        "profiles[0].plugins.score.weights: Forbidden: unknown field; expected one of enabled, disabled",
      ],
    },
    {
      name: "has values of wrong types, each named once",
      body: "parallelism: many\npodInitialBackoffSeconds: 0.5\nprofiles: [5, {schedulerName: [a]}, {schedulerName: b}]",
      want: [
        'parallelism: Invalid value: "many": must be a whole number of 32 bits',
        "podInitialBackoffSeconds: Invalid value: 0.5: must be a whole number",
        "profiles[0]: Invalid value: 5: must be an object",
        "profiles[1].schedulerName: Invalid value: must be a text",
      ],
    },
    {
      name: "has numbers out of range",
      body:
        "parallelism: 0\npercentageOfNodesToScore: 101\npodInitialBackoffSeconds: 0\npodMaxBackoffSeconds: -1\n" +
        "profiles: [{percentageOfNodesToScore: -1}]",
      want: [
        "parallelism: Invalid value: 0: should be an integer value greater than zero",
        "percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]",
        "podInitialBackoffSeconds: Invalid value: 0: must be greater than 0",
        "profiles[0].percentageOfNodesToScore: Invalid value: -1: not in valid range [0-100]",
        "podMaxBackoffSeconds: Invalid value: -1: must be greater than or equal to PodInitialBackoffSeconds",
      ],
    },
    {
      name: "has profiles that cannot be told apart",
      body: "profiles: [{schedulerName: a}, {schedulerName: a}, {}]",
      want: ['profiles[1].schedulerName: Duplicate value: "a"', "profiles[2].schedulerName: Required value"],
    },
    {
      name: "has extenders and another lock",
      body: "extenders: [{urlPrefix: http://x}]\nleaderElection: {resourceLock: endpoints}",
      want: [
        "extenders: Forbidden: not supported",
        'leaderElection.resourceLock: Invalid value: "endpoints": resourceLock value must be "leases"',
      ],
    },
    {
      name: "enables what cannot be",
      body: `profiles:
- plugins:
    multiPoint: {enabled: [{name: NodeVolumeLimits}, {name: Nonsense}, {weight: -1}]}
    filter: {enabled: [{name: ImageLocality}, {name: NodeName}, {name: NodeName}]}`,
      want: [
        "profiles[0].plugins.multiPoint.enabled[0].name: Forbidden: plugin NodeVolumeLimits of Kubernetes is not supported",
        expect.stringMatching(
          /^profiles\[0\]\.plugins\.multiPoint\.enabled\[1\]\.name: Not found: "Nonsense": no plugin has this name; there are SchedulingGates, /,
        ),
        "profiles[0].plugins.multiPoint.enabled[2].name: Required value",
        "profiles[0].plugins.multiPoint.enabled[2].weight: Invalid value: -1: must not be negative",
        'profiles[0].plugins.filter.enabled[0].name: Invalid value: "ImageLocality": does not work at filter, only at score',
        'profiles[0].plugins.filter.enabled[2].name: Duplicate value: "NodeName"',
      ],
    },
    {
      name: "leaves nothing to sort or bind with",
      body: "profiles: [{plugins: {multiPoint: {disabled: [{name: '*'}]}}}]",
      want: [
        "profiles[0].plugins.queueSort: Invalid value: []: exactly one queue sort plugin has to be enabled",
        "profiles[0].plugins.bind: Required value: at least one bind plugin has to be enabled",
      ],
    },
    {
      name: "takes a plugin's preparation away",
      body: "profiles: [{plugins: {preFilter: {disabled: [{name: PodTopologySpread}]}}}]",
      want: [
        'profiles[0].plugins.filter: Invalid value: "PodTopologySpread": cannot work without preFilter: enable both or none',
      ],
    },
    {
      name: "enables SelectorSpread at one of its two extension points",
      body: "profiles: [{plugins: {score: {enabled: [{name: SelectorSpread}]}}}]",
      want: [
        'profiles[0].plugins.score: Invalid value: "SelectorSpread": cannot work without preScore: enable both or none',
      ],
    },
    {
      name: "gives arguments that are none",
      body: `profiles:
- pluginConfig:
  - {name: NodeName, args: {x: 1}}
  - {name: NodeVolumeLimits, args: {}}
  - {name: InterPodAffinity, args: [1]}
  - {name: InterPodAffinity, args: {kind: NodeAffinityArgs}}
  - {args: {}}`,
      want: [
        "profiles[0].pluginConfig[0].args: Forbidden: NodeName takes no arguments",
        "profiles[0].pluginConfig[1].name: Forbidden: plugin NodeVolumeLimits of Kubernetes is not supported",
        "profiles[0].pluginConfig[2].args: Invalid value: [1]: has to match plugin args",
        'profiles[0].pluginConfig[3]: Duplicate value: "InterPodAffinity"',
        'profiles[0].pluginConfig[3].args: Invalid value: "NodeAffinityArgs": has to match plugin args',
        "profiles[0].pluginConfig[4].name: Required value",
      ],
    },
  ])("that $name is refused with all that is wrong", ({ body, want }) => {
    expect(errorsOf(body)).toEqual(want);
  });
});

test("the mistakes of a file are sentences with line and column, in its order", () => {
  const text = `${header}podMaxBackoffSeconds: 0\nprofiles:\n- shedulerName: a\n`;
  expect(parseSchedulerConfig(text, { file: "scheduler.yaml" })).toMatchObject({
    problems: [
      "scheduler.yaml:3:23: podMaxBackoffSeconds: Invalid value: 0: must be greater than or equal to PodInitialBackoffSeconds",
      'scheduler.yaml:5:17: profiles[0].shedulerName: Forbidden: unknown field; did you mean "schedulerName"?',
    ],
  });
});

describe("what an operator should know", () => {
  test.for([
    {
      name: "a plugin that is not built may be disabled",
      body: "profiles: [{plugins: {filter: {disabled: [{name: NodeVolumeLimits}, {name: Mine}]}, postFilter: {disabled: [{name: '*'}]}}}]",
      want: [
        "profiles[0].plugins.filter.disabled[0]: plugin NodeVolumeLimits of Kubernetes is not supported, so there is nothing to disable",
        "profiles[0].plugins.filter.disabled[1]: no plugin is named Mine, so there is nothing to disable",
      ],
    },
    {
      name: "some settings are of kube-scheduler alone",
      body: "parallelism: 4\nleaderElection: {leaderElect: false}\nclientConnection: {qps: 5.5}",
      want: [
        "parallelism: has no effect here",
        "leaderElection: has no effect here",
        "clientConnection: has no effect here",
      ],
    },
  ])("$name", ({ body, want }) => {
    expect(warningsOf(body)).toEqual(want);
  });
});

describe("the gate DefaultPodTopologySpread", () => {
  const scoringWith = (gates: typeof defaultFeatureGates) =>
    defaultSchedulerConfig(gates).profiles[0]?.plugins.weights;

  test("switched off brings SelectorSpread back beside the plugin it was replaced by", () => {
    expect(scoringWith(defaultFeatureGates)?.has("SelectorSpread")).toBe(false);
    expect(scoringWith(off)?.get("SelectorSpread")).toBe(1);
    expect(scoringWith(off)?.get("PodTopologySpread")).toBe(2);
  });

  test.for([
    { name: "nothing", args: "{}", want: { defaultingType: "List", defaultConstraints: [] } },
    { name: "System", args: "defaultingType: System", want: { defaultingType: "System" } },
  ])("switched off, $name in the file means $want.defaultingType", ({ args, want }) => {
    const parsed = parseSchedulerConfig(spreadFile(args, "v1"), { gates: off });
    expect(parsed.ok && parsed.config.profiles[0]?.args.PodTopologySpread).toEqual(want);
  });

  test("switched off leaves the operator's list in force, beside SelectorSpread", () => {
    const list =
      "defaultingType: List\ndefaultConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]";
    const parsed = parseSchedulerConfig(spreadFile(list, "v1"), { gates: off });
    const profile = parsed.ok ? parsed.config.profiles[0] : undefined;
    expect(profile?.args.PodTopologySpread).toMatchObject({ defaultConstraints: [{ topologyKey: "zone" }] });
    expect(profile?.plugins.at.score).toEqual(
      expect.arrayContaining(["PodTopologySpread", "SelectorSpread"]),
    );
  });

  test("both plugins run when the operator asks for both", () => {
    const body = "profiles: [{plugins: {multiPoint: {enabled: [{name: SelectorSpread, weight: 3}]}}}]";
    const parsed = parseSchedulerConfig(header + body);
    expect(parsed.ok && parsed.config.profiles[0]?.plugins.at.score.slice(-1)).toEqual(["SelectorSpread"]);
    expect(parsed.ok && parsed.config.profiles[0]?.plugins.weights.get("SelectorSpread")).toBe(3);
  });
});

test("no file makes it throw", () => {
  const words = fc.constantFrom("profiles", "plugins", "score", "enabled", "name", "pluginConfig", "args");
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      fc.oneof(fc.constant(null), fc.integer(), fc.constant("PodTopologySpread"), fc.string()),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.oneof(words, fc.string()), tie("value"), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(words, value), fc.string(), (body, noise) => {
      const version = { apiVersion: "kubescheduler.config.k8s.io/v1", kind: "KubeSchedulerConfiguration" };
      parseSchedulerConfig(JSON.stringify({ ...version, ...body }));
      parseSchedulerConfig(noise);
    }),
  );
});
