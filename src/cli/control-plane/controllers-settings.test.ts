import { expect, test } from "vitest";
import { controllersFlags, readControllersSettings } from "./controllers-settings.ts";
import type { Invocation } from "../command.ts";

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

test.for([
  { name: "nothing", flags: {}, want: {} },
  { name: "an address", flags: { bind: "::" }, want: { serving: { address: "::" } } },
  {
    name: "an address and a certificate",
    flags: { bind: "0.0.0.0", "tls-cert-file": "a", "tls-private-key-file": "b" },
    want: { serving: { address: "0.0.0.0", files: { certificate: "a", key: "b" } } },
  },
])("told $name, the controllers serve others accordingly", ({ flags, want }) => {
  const { serving } = read(flags) as { serving?: object };
  expect({ ...(serving !== undefined && { serving }) }).toEqual(want);
});

test("half a certificate, one that is not served and a name to bind to are refused", () => {
  expect(read({ bind: "localhost", "tls-cert-file": "a" })).toEqual([
    "--bind must be an IP address, such as 0.0.0.0 or ::",
    "--tls-cert-file and --tls-private-key-file need each other",
  ]);
  expect(read({ "tls-cert-file": "a", "tls-private-key-file": "b" })).toEqual([
    "--tls-cert-file needs --bind",
  ]);
});
