import { expect, test } from "vitest";
import type { ContainerPort, PodTemplateSpec } from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { podWarnings } from "./pod-warnings.ts";

const env = (...names: readonly string[]) => names.map((name) => ({ name }));

test("an environment variable that is defined again is warned about, in each container", () => {
  const spec = {
    initContainers: [{ env: env("A", "A") }],
    containers: [{ env: env("A", "B") }, {}, { env: env("B", "A", "B", "B") }],
  };
  const effect = (name: string) =>
    `hides previous definition of "${name}", which may be dropped when using apply`;
  expect(podWarnings({ spec }, "")).toEqual([
    `spec.initContainers[0].env[1]: ${effect("A")}`,
    `spec.containers[2].env[2]: ${effect("B")}`,
    `spec.containers[2].env[3]: ${effect("B")}`,
  ]);
});

test("an environment variable that adds to its previous definition is not warned about", () => {
  const path = { name: "PATH", value: "/bin" };
  const warned = (value: string) =>
    podWarnings({ spec: { containers: [{ env: [path, { name: "PATH", value }] }] } }, "").length;
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
  expect(podWarnings({ spec }, "")).toEqual(want === undefined ? [] : [warning]);
});

test("hosts and pull secrets that come twice, secrets without a name and a negative grace period are warned about", () => {
  const spec = {
    hostAliases: [{ ip: "10.0.0.1" }, { ip: "10.0.0.2" }, { ip: "10.0.0.1" }],
    imagePullSecrets: [{ name: "a" }, {}, { name: "a" }],
    terminationGracePeriodSeconds: -1,
  };
  expect(podWarnings({ spec }, "")).toEqual([
    'spec.hostAliases[2].ip: duplicate ip "10.0.0.1"',
    'spec.imagePullSecrets[2].name: duplicate name "a"',
    'spec.imagePullSecrets[1].name: invalid empty name ""',
    "spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1",
  ]);
});

test.for<{ name: string; pod: Sent<PodTemplateSpec>; want: readonly string[] }>([
  {
    name: "annotations that do nothing",
    pod: { metadata: { annotations: { "scheduler.alpha.kubernetes.io/critical-pod": "", other: "" } } },
    want: [
      'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
    ],
  },
  {
    name: "seccomp annotations without their fields",
    pod: {
      metadata: {
        annotations: {
          "seccomp.security.alpha.kubernetes.io/pod": "runtime/default",
          "container.seccomp.security.alpha.kubernetes.io/a": "runtime/default",
          "container.seccomp.security.alpha.kubernetes.io/b": "runtime/default",
        },
      },
      spec: {
        containers: [
          { name: "a" },
          { name: "b", securityContext: { seccompProfile: { type: "RuntimeDefault" } } },
        ],
      },
    },
    want: [
      "seccomp.security.alpha.kubernetes.io/pod",
      "container.seccomp.security.alpha.kubernetes.io/a",
    ].map(
      (key) =>
        `metadata.annotations[${key}]: non-functional in v1.27+; use the "seccompProfile" field instead`,
    ),
  },
  {
    name: "fractions of bytes",
    pod: {
      spec: {
        overhead: { memory: "0.5", cpu: "100m" },
        containers: [
          {
            resources: {
              limits: { memory: "100m", "ephemeral-storage": "1Gi", cpu: "1m" },
              requests: { memory: "1.5Gi", "ephemeral-storage": "1n" },
            },
          },
        ],
      },
    },
    want: [
      "spec.overhead[memory]: " + fraction("500m"),
      "spec.containers[0].resources.limits[memory]: " + fraction("100m"),
      "spec.containers[0].resources.requests[ephemeral-storage]: " + fraction("1n"),
    ],
  },
  {
    name: "an address of a host without a port of it",
    pod: { spec: { containers: [{ ports: [{ containerPort: 80, protocol: "TCP", hostIP: "10.0.0.1" }] }] } },
    want: [
      "spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:10.0.0.1}",
    ],
  },
  {
    name: "a port name that two containers have",
    pod: {
      spec: {
        initContainers: [{ ports: [{ name: "http", containerPort: 80 }] }],
        containers: [{ ports: [{ containerPort: 81 }, { name: "http", containerPort: 82 }] }],
      },
    },
    want: [
      'spec.containers[0].ports[1]: duplicate port name "http" with spec.initContainers[0].ports[0], services and probes that select ports by name will use spec.initContainers[0].ports[0]',
    ],
  },
  {
    name: "an IPv6 address in another spelling",
    pod: {
      spec: {
        dnsConfig: { nameservers: ["2001:DB8::1", "10.0.0.1", "2001:db8::1"] },
        hostAliases: [{ ip: "2001:db8::1:0:0:0" }],
      },
    },
    want: [
      'spec.dnsConfig.nameservers[0]: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
      'spec.hostAliases[0].ip: IPv6 address "2001:db8::1:0:0:0" should be in RFC 5952 canonical format ("2001:db8:0:0:1::")',
    ],
  },
])("a Pod with $name gets its warnings", ({ pod, want }) => {
  expect(podWarnings(pod, "")).toEqual(want);
});

const other = { appArmorProfile: { type: "Unconfined" } };
const same = { appArmorProfile: { type: "RuntimeDefault" } };

test.for([
  { name: "without a profile", want: 1 },
  { name: "whose own profile is another one", spec: { securityContext: other }, want: 1 },
  { name: "whose own profile is the same", spec: { securityContext: same }, want: 0 },
  { name: "whose container has a profile", container: { securityContext: other }, want: 0 },
])("the AppArmor annotation of a container of a template $name: $want warnings", (given) => {
  const { spec = {}, container = {}, want } = given;
  const annotations = { "container.apparmor.security.beta.kubernetes.io/web": "runtime/default" };
  const pod = { metadata: { annotations }, spec: { ...spec, containers: [{ name: "web", ...container }] } };
  expect(podWarnings(pod, "template")).toHaveLength(want);
});

test("ports that come twice are found among hundreds of others", () => {
  const ports = Array.from({ length: 300 }, (_, index) => ({ containerPort: index + 1, protocol: "TCP" }));
  const spec = { containers: [{ ports }, { ports: ports.slice(-1) }] };
  expect(podWarnings({ spec }, "")).toEqual([
    "spec.containers[1].ports[0]: duplicate port definition with spec.containers[0].ports[299]",
  ]);
});

test("of thousands of ports that are all the same, only some are compared", () => {
  const ports = Array.from({ length: 5000 }, () => ({ containerPort: 80, protocol: "TCP" }));
  expect(podWarnings({ spec: { containers: [{ ports }] } }, "")).toHaveLength(20_000);
});

function fraction(value: string): string {
  return `fractional byte value "${value}" is invalid, must be an integer`;
}

test("the warnings about a template have its path", () => {
  const template = {
    metadata: { annotations: { "security.alpha.kubernetes.io/sysctls": "" } },
    spec: { terminationGracePeriodSeconds: -1, volumes: [{ name: "a", gitRepo: {} }] },
  };
  expect(podWarnings(template, "spec.template").map((warning) => warning.split(": ")[0])).toEqual([
    "spec.template.metadata.annotations[security.alpha.kubernetes.io/sysctls]",
    "spec.template.spec.volumes[0].gitRepo",
    "spec.template.spec.terminationGracePeriodSeconds",
  ]);
});
