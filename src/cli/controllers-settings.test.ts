import { expect, test } from "vitest";
import { controllersFlags, readControllersSettings } from "./controllers-settings.ts";
import type { Invocation } from "./command.ts";

const defaults = Object.fromEntries(
  Object.entries(controllersFlags).map(([name, flag]) => [name, flag.default]),
);
const read = (flags: Invocation["flags"] = {}) =>
  readControllersSettings({ flags: { ...defaults, ...flags }, arguments: [] });

test("told nothing, the controllers hold a lease, ask no pickers, and have everything else on", () => {
  const settings = read();
  expect(settings).toMatchObject({ port: 10_280, lease: { name: "trimtab-controllers" }, logLevel: "info" });
  expect(settings).toMatchObject({
    gates: { DownscalePodPicker: false, DeploymentPodReplacementPolicy: true },
  });
});

test("a lease may be elsewhere, or not wanted", () => {
  expect(read({ lease: "kube-system/mine" })).toMatchObject({
    lease: { namespace: "kube-system", name: "mine" },
  });
  expect(read({ "no-lease": true })).not.toHaveProperty("lease");
});

test("everything that is wrong is said at once", () => {
  expect(
    read({ port: "99999", lease: "a/b/c", "log-level": "loud", "feature-gates": "Nonsense=true" }),
  ).toEqual([
    "--port must be a number from 0 to 65535",
    "--lease must be NAME or NAMESPACE/NAME",
    "--log-level must be one of debug, info, warn, error",
    expect.stringContaining("unrecognized feature gate: Nonsense"),
  ]);
});

test("a policy cannot be had without what it counts with", () => {
  const gates = "DeploymentReplicaSetTerminatingReplicas=false,DeploymentPodReplacementPolicy=true";
  expect(read({ "feature-gates": gates })).toEqual([
    "DeploymentPodReplacementPolicy=true needs DeploymentReplicaSetTerminatingReplicas, which is off",
  ]);
});

test("pickers are called only where the operator allows it", () => {
  const gate = { "feature-gates": "DownscalePodPicker=true" };
  expect(read(gate)).toEqual([
    "DownscalePodPicker=true needs --picker-allow: the hosts or networks where pod pickers may be",
  ]);
  expect(read({ ...gate, "picker-allow": ["pickers.example"] })).toHaveProperty(
    "gates.DownscalePodPicker",
    true,
  );
});
