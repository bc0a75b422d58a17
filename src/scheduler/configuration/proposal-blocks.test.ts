import { expect, test } from "vitest";
import { parse } from "yaml";
import { fieldErrorsText } from "../../api/field-error.ts";
import { dns1123SubdomainProblems } from "../../api/names.ts";
import { parseSchedulerConfig } from "./parse-scheduler-config.ts";
import {
  builtInConstraints,
  disablingFile,
  hostsAndRacks,
  hostsAndRacksOriginal,
  noConstraints,
  spreadFile,
  workload,
  workloadOriginal,
} from "./proposal-blocks.cases.ts";

const constraint = (topologyKey: string, maxSkew: number, whenUnsatisfiable: string) => ({
  maxSkew,
  topologyKey,
  whenUnsatisfiable,
});
const hostAndZone = [
  constraint("kubernetes.io/hostname", 3, "ScheduleAnyway"),
  constraint("topology.kubernetes.io/zone", 5, "ScheduleAnyway"),
];

test.for([
  {
    name: "the built-in constraints, written out",
    text: spreadFile(builtInConstraints),
    want: { defaultingType: "List", defaultConstraints: hostAndZone },
  },
  {
    name: "no constraints",
    text: spreadFile(noConstraints),
    want: { defaultingType: "List", defaultConstraints: [] },
  },
  {
    name: "constraints of the operator's own",
    text: spreadFile(hostsAndRacks),
    want: {
      defaultingType: "List",
      defaultConstraints: [
        constraint("topology.example.com/physical_host", 5, "ScheduleAnyway"),
        constraint("topology.example.com/rack", 15, "DoNotSchedule"),
      ],
    },
  },
  {
    name: "the constraints disabled",
    text: disablingFile,
    want: { defaultingType: "List", defaultConstraints: [] },
  },
])("the proposal's block reads as $name", ({ text, want }) => {
  const parsed = parseSchedulerConfig(text);
  expect(parsed).toMatchObject({ ok: true, warnings: [] });
  expect(parsed.ok && parsed.config.profiles[0]?.args.PodTopologySpread).toEqual(want);
});

test("in v1 the same lists need a word, and the error says which", () => {
  const parsed = parseSchedulerConfig(spreadFile(builtInConstraints, "v1"));
  expect(parsed).toMatchObject({ ok: false });
  expect(parsed.ok || fieldErrorsText(parsed.errors)).toBe(
    'profiles[0].pluginConfig[0].args.defaultingType: Invalid value: "System": ' +
      'when .defaultConstraints are not empty; add "defaultingType: List" to use this list',
  );
});

test("in v1 an empty list disables nothing, and a warning says so", () => {
  const parsed = parseSchedulerConfig(spreadFile(noConstraints, "v1"));
  expect(parsed).toMatchObject({
    ok: true,
    config: { profiles: [{ args: { PodTopologySpread: { defaultingType: "System" } } }] },
  });
  expect(parsed.ok && parsed.warnings).toEqual([
    "profiles[0].pluginConfig[0].args.defaultConstraints: an empty list does not disable the built-in " +
      'constraints in v1; add "defaultingType: List" for that',
  ]);
});

test("in v1 the proposal's switch is unknown, and the error says what to write", () => {
  const parsed = parseSchedulerConfig(disablingFile.replace("v1beta1", "v1"));
  expect(parsed.ok || fieldErrorsText(parsed.errors)).toBe(
    "profiles[0].pluginConfig[0].args.disableDefaultConstraints: Forbidden: " +
      'unknown field in v1; to disable, say "defaultingType: List" and give no list',
  );
});

test("the proposal's own label keys have a slash too many, and both are named", () => {
  const parsed = parseSchedulerConfig(spreadFile(hostsAndRacksOriginal));
  const problem =
    "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' " +
    "(e.g. 'example.com/MyName')";
  const at = "profiles[0].pluginConfig[0].args.defaultConstraints";
  expect(parsed.ok || parsed.errors.map(({ field, detail }) => ({ field, detail }))).toEqual([
    { field: `${at}[0].topologyKey`, detail: problem },
    { field: `${at}[1].topologyKey`, detail: problem },
  ]);
});

test("the proposal's workload has a name no object can have, the corrected one does not", () => {
  const nameIn = (text: string) => (parse(text) as { metadata: { name: string } }).metadata.name;
  expect(dns1123SubdomainProblems(nameIn(workloadOriginal))).toHaveLength(1);
  expect(dns1123SubdomainProblems(nameIn(workload))).toEqual([]);
});
