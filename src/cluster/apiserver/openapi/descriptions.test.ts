import { expect, test } from "vitest";
import { schemaTable } from "../../../api/schema/table.ts";
import { isUnsupportedKind } from "../discovery/listed-resource.ts";
import { describedNames, describeField, describeType } from "./descriptions.ts";

const { types, kinds } = schemaTable();
const fields = [...types].flatMap(([type, facts]) =>
  Object.entries(facts.fields).map(([field, { ours }]) => ({ type, field, ours })),
);

test("descriptions are about types and fields that exist", () => {
  const existing = new Set([...types.keys(), ...fields.map(({ type, field }) => `${type}.${field}`)]);
  expect(describedNames().filter((name) => !existing.has(name))).toEqual([]);
});

test.for(kinds.filter((kind) => !isUnsupportedKind(kind)))("$kind in $version is described", ({ type }) => {
  expect(describeType(type)).toMatch(/^[A-Z].*\.$/);
});

test.for(fields.filter(({ ours }) => ours === true))(
  "our own $type.$field is described",
  ({ type, field }) => {
    expect(describeField(type, field)).toMatch(/^[A-Z].*\.$/);
  },
);

test("lists are described after what they hold", () => {
  expect(describeType("core.v1.PodList")).toBe("A list of Pod objects.");
});

test("a field that means the same everywhere is described in bodies only", () => {
  expect(describeField("apps.v1.Deployment", "spec")).toBe("The desired state.");
  expect(describeField("core.v1.ObjectReference", "kind")).toBeUndefined();
});

test.for(
  ["apps.v1.DeploymentStatus", "apps.v1.ReplicaSetStatus"].flatMap((type) =>
    fields
      .filter(
        (each) =>
          each.type === type && /^(updated|ready|available|fullyLabeled)?[rR]eplicas$/.test(each.field),
      )
      .map(({ field }) => ({ type, field })),
  ),
)("the count $field of $type leaves out Pods that terminate, and says so", ({ type, field }) => {
  expect(describeField(type, field)).toMatch(/^Non-terminating Pods\b/);
});

test.for([
  "TerminationStarted: ",
  "TerminationComplete: ",
  "Unset, a RollingUpdate ",
  "a Recreate ",
  "the Deployment is complete only when no old Pod is terminating",
])("the description of podReplacementPolicy tells of %j", (part) => {
  expect(describeField("apps.v1.DeploymentSpec", "podReplacementPolicy")).toContain(part);
});
