import { describe, expect, test } from "vitest";
import { patchRule, patchRuleAt, type PatchRule } from "./patch-rule.ts";
import { shapeOf } from "./shape.ts";
import { schemaTable } from "./table.ts";

const items = (type: string, key: string, retainKeys = false): PatchRule => ({
  merges: "items",
  type,
  key,
  retainKeys,
});
const object = (type: string, retainKeys = false): PatchRule => ({ merges: "object", type, retainKeys });
const nothing: PatchRule = { merges: "nothing" };

describe("patchRule", () => {
  test.for<{ type: string; field: string; want: PatchRule | undefined }>([
    { type: "apps.v1.DeploymentSpec", field: "replicas", want: nothing },
    { type: "apps.v1.DeploymentSpec", field: "template", want: object("core.v1.PodTemplateSpec") },
    { type: "apps.v1.DeploymentSpec", field: "strategy", want: object("apps.v1.DeploymentStrategy", true) },
    {
      type: "apps.v1.DeploymentSpec",
      field: "downscalePodPicker",
      want: object("apps.v1.DownscalePodPicker"),
    },
    { type: "core.v1.PodSpec", field: "containers", want: items("core.v1.Container", "name") },
    { type: "core.v1.PodSpec", field: "volumes", want: items("core.v1.Volume", "name", true) },
    { type: "core.v1.PodSpec", field: "tolerations", want: nothing },
    { type: "core.v1.PodSpec", field: "nodeSelector", want: { merges: "map", type: "string" } },
    {
      type: "core.v1.PodSpec",
      field: "topologySpreadConstraints",
      want: items("core.v1.TopologySpreadConstraint", "topologyKey"),
    },
    { type: "core.v1.Container", field: "ports", want: items("core.v1.ContainerPort", "containerPort") },
    { type: "core.v1.Container", field: "args", want: nothing },
    { type: "core.v1.Container", field: "envFrom", want: nothing },
    { type: "core.v1.Volume", field: "emptyDir", want: object("core.v1.EmptyDirVolumeSource") },
    { type: "meta.v1.ObjectMeta", field: "finalizers", want: { merges: "set" } },
    { type: "meta.v1.ObjectMeta", field: "ownerReferences", want: items("meta.v1.OwnerReference", "uid") },
    { type: "policy.v1.PodDisruptionBudgetSpec", field: "selector", want: nothing },
    { type: "apps.v1.ControllerRevision", field: "data", want: nothing },
    { type: "core.v1.PodSpec", field: "nope", want: undefined },
    { type: "core.v1.PodSpec", field: "constructor", want: undefined },
    { type: "core.v1.Nope", field: "spec", want: undefined },
  ])("of $field in $type", ({ type, field, want }) => {
    expect(patchRule(type, field)).toEqual(want);
  });

  test("always has a merge key that the items have", () => {
    const members = [...schemaTable().types.keys()].flatMap((type) => shapeOf(type)?.members ?? []);
    const keyless = members.filter(
      ({ type, facts }) => facts.mergeKey !== undefined && !shapeOf(type)?.byName.has(facts.mergeKey),
    );
    expect(keyless).toEqual([]);
  });
});

describe("patchRuleAt", () => {
  test.for([
    { path: ["spec", "template", "spec", "containers"], want: items("core.v1.Container", "name") },
    { path: ["spec", "template", "spec", "containers", 0], want: object("core.v1.Container") },
    { path: ["spec", "template", "spec", "containers", 0, "env"], want: items("core.v1.EnvVar", "name") },
    { path: ["spec", "template", "spec", "volumes", 3], want: object("core.v1.Volume", true) },
    { path: ["metadata", "labels"], want: { merges: "map", type: "string" } },
    { path: ["metadata", "labels", "app"], want: nothing },
    { path: ["metadata", "finalizers", 0], want: nothing },
    { path: ["spec", "nope", "deeper"], want: undefined },
    { path: ["spec", "replicas", "deeper"], want: undefined },
    { path: [], want: undefined },
  ])("$path of a Deployment", ({ path, want }) => {
    expect(patchRuleAt("apps.v1.Deployment", path)).toEqual(want);
  });
});
