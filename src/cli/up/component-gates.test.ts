import { expect, test } from "vitest";
import { readComponentGates } from "./component-gates.ts";

const given = (common: string, ...single: readonly string[]) =>
  readComponentGates({ "feature-gates": common, "component-feature-gates": single });

test("a component has the gates of the cluster, and its own on top", () => {
  const read = given(
    "PodDeletionCost=false",
    "deployment:DeploymentPodReplacementPolicy=false",
    "api-server:LogarithmicScaleDown=false,PodDeletionCost=true",
    "deployment:LogarithmicScaleDown=false",
  );
  if (!read.ok) throw new Error(read.problems.join());
  const { apiServer, controllers, components } = read.gates;
  expect(controllers()).toMatchObject({ PodDeletionCost: false, LogarithmicScaleDown: true });
  expect(apiServer()).toMatchObject({ PodDeletionCost: true, LogarithmicScaleDown: false });
  expect(components.deployment?.()).toMatchObject({
    PodDeletionCost: false,
    DeploymentPodReplacementPolicy: false,
    LogarithmicScaleDown: false,
  });
  expect(components.scheduler).toBeUndefined();
});

test.for([
  { flag: "kubelet:PodDeletionCost=false", want: "must begin with one of api-server, deployment, " },
  { flag: "PodDeletionCost=false", want: "must begin with one of api-server, deployment, " },
  { flag: "deployment:Unknown=true", want: "deployment: unrecognized feature gate: Unknown" },
  {
    flag: "deployment:PodDeletionCost=maybe",
    want: "deployment: feature gate PodDeletionCost: must be true or false",
  },
])("$flag is refused", ({ flag, want }) => {
  const read = given("", flag);
  expect(read.ok ? [] : read.problems).toEqual([expect.stringContaining(want)]);
});
