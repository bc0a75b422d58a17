import { expect, test } from "vitest";
import {
  keyCharacters,
  labelCharacters,
  problemsOfContainer,
  problemsOfSpec,
  type SpecCase,
  subdomainCharacters,
} from "./pod-spec-fixture.cases.ts";

const ip = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

const cases: readonly SpecCase[] = [
  {
    name: "an unknown DNS policy",
    spec: { dnsPolicy: "Mine" },
    want: [
      'spec.dnsPolicy: Unsupported value: "Mine": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
    ],
  },
  {
    name: "no DNS and none of its own",
    spec: { dnsPolicy: "None" },
    want: ["spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"],
  },
  {
    name: "no DNS and no server of its own",
    spec: { dnsPolicy: "None", dnsConfig: {} },
    want: [
      "spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None",
    ],
  },
  {
    name: "a DNS server that is none",
    spec: { dnsConfig: { nameservers: ["x"] } },
    want: [`spec.dnsConfig.nameservers[0]: Invalid value: "x": ${ip}`],
  },
  {
    name: "four DNS servers",
    spec: { dnsConfig: { nameservers: ["1.1.1.1", "1.1.1.2", "1.1.1.3", "1.1.1.4"] } },
    want: [
      'spec.dnsConfig.nameservers: Invalid value: ["1.1.1.1","1.1.1.2","1.1.1.3","1.1.1.4"]: must not have more than 3 nameservers',
    ],
  },
  { name: "search domains", spec: { dnsConfig: { searches: [".", "a.b.", "_tcp.my_host"] } }, want: [] },
  {
    name: "a bad hostname",
    spec: { hostname: "A" },
    want: [`spec.hostname: Invalid value: "A": ${labelCharacters}`],
  },
  {
    name: "an alias of no address",
    spec: { hostAliases: [{ ip: "x", hostnames: ["a"] }] },
    want: [`spec.hostAliases[0].ip: Invalid value: "x": ${ip}`],
  },
  {
    name: "a bad account name",
    spec: { serviceAccountName: "A" },
    want: [`spec.serviceAccountName: Invalid value: "A": ${subdomainCharacters}`],
  },
  {
    name: "a deadline in the past",
    spec: { activeDeadlineSeconds: 0 },
    want: ["spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive"],
  },
  {
    name: "a bad readiness gate",
    spec: { readinessGates: [{ conditionType: "a b" }] },
    want: [`spec.readinessGates[0].conditionType: Invalid value: "a b": ${keyCharacters}`],
  },
  {
    name: "an unknown system",
    spec: { os: { name: "plan9" } },
    want: ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"'],
  },
  {
    name: "a negative user",
    spec: { securityContext: { runAsUser: -1 } },
    want: ["spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive"],
  },
  {
    name: "shared and the node's processes at once",
    spec: { shareProcessNamespace: true, hostPID: true },
    want: [
      "spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled",
    ],
  },
  {
    name: "a profile of its own without a file",
    spec: { securityContext: { seccompProfile: { type: "Localhost" } } },
    want: [
      "spec.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost",
    ],
  },
  {
    name: "an unknown profile",
    spec: { securityContext: { appArmorProfile: { type: "Mine" } } },
    want: [
      'spec.securityContext.appArmorProfile.type: Unsupported value: "Mine": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
    ],
  },
  {
    name: "users of its own and the node's processes",
    spec: { hostUsers: false, hostPID: true },
    want: ["spec.HostPID: Forbidden: when `hostUsers` is false"],
  },
];

test.for(cases)("a Pod with $name gets what Kubernetes says", ({ spec, want }) => {
  expect(problemsOfSpec(spec)).toEqual(want);
});

test("a container cannot be privileged and kept from privileges", () => {
  const securityContext = { privileged: true, allowPrivilegeEscalation: false };
  expect(problemsOfContainer({ securityContext })).toEqual([
    `spec.containers[0].securityContext: Invalid value: ${JSON.stringify(securityContext)}: cannot set \`allowPrivilegeEscalation\` to false and \`privileged\` to true`,
  ]);
});
