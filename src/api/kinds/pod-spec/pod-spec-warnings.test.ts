import { expect, test } from "vitest";
import type { ContainerPort } from "../../generated/core-v1.ts";
import type { Sent } from "../sent.ts";
import { podSpecWarnings } from "./pod-spec-warnings.ts";

const env = (...names: readonly string[]) => names.map((name) => ({ name }));

test("an environment variable that is defined again is warned about, in each container", () => {
  const spec = {
    initContainers: [{ env: env("A", "A") }],
    containers: [{ env: env("A", "B") }, {}, { env: env("B", "A", "B", "B") }],
  };
  const effect = (name: string) =>
    `hides previous definition of "${name}", which may be dropped when using apply`;
  expect(podSpecWarnings(spec, "spec")).toEqual([
    `spec.initContainers[0].env[1]: ${effect("A")}`,
    `spec.containers[2].env[2]: ${effect("B")}`,
    `spec.containers[2].env[3]: ${effect("B")}`,
  ]);
});

test("an environment variable that adds to its previous definition is not warned about", () => {
  const path = { name: "PATH", value: "/bin" };
  const warned = (value: string) =>
    podSpecWarnings({ containers: [{ env: [path, { name: "PATH", value }] }] }, "spec").length;
  expect(["$(PATH):/more", "$(PATH)", "/more"].map(warned)).toEqual([0, 1, 1]);
});

test.for<{ one: Sent<ContainerPort>; two: Sent<ContainerPort>; want?: string }>([
  { one: {}, two: {}, want: "duplicate" },
  { one: {}, two: { protocol: "UDP" } },
  { one: {}, two: { containerPort: 81 } },
  { one: {}, two: { hostPort: 8080 }, want: "overlapping" },
  { one: { hostPort: 8080 }, two: { hostPort: 8081 } },
  { one: { hostPort: 8080 }, two: { hostPort: 8080, hostIP: "127.0.0.1" }, want: "dangerously ambiguous" },
])("ports $one and $two of two containers: $want", ({ one, two, want }) => {
  const port = { containerPort: 80, protocol: "TCP" };
  const spec = { containers: [{ ports: [{ ...port, ...one }] }, { ports: [{ ...port, ...two }] }] };
  const warning = `spec.containers[1].ports[0]: ${want} port definition with spec.containers[0].ports[0]`;
  expect(podSpecWarnings(spec, "spec")).toEqual(want === undefined ? [] : [warning]);
});

test("hosts and pull secrets that come twice, secrets without a name and a negative grace period are warned about", () => {
  const spec = {
    hostAliases: [{ ip: "10.0.0.1" }, { ip: "10.0.0.2" }, { ip: "10.0.0.1" }],
    imagePullSecrets: [{ name: "a" }, {}, { name: "a" }],
    terminationGracePeriodSeconds: -1,
  };
  expect(podSpecWarnings(spec, "spec")).toEqual([
    'spec.hostAliases[2].ip: duplicate ip "10.0.0.1"',
    'spec.imagePullSecrets[2].name: duplicate name "a"',
    'spec.imagePullSecrets[1].name: invalid empty name ""',
    "spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1",
  ]);
});
