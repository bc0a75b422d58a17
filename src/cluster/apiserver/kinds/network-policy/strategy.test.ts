import { expect, test } from "vitest";
import { problemsOf } from "../workload/workload-fixture.cases.ts";
import { networkPolicyStrategy } from "./strategy.ts";

test("a policy is for the directions it has rules for", () => {
  const typesOf = (spec: object) => networkPolicyStrategy.defaults?.({ spec }).spec?.policyTypes;
  expect(typesOf({})).toEqual(["Ingress"]);
  expect(typesOf({ egress: [{}] })).toEqual(["Ingress", "Egress"]);
  expect(typesOf({ policyTypes: ["Egress"] })).toEqual(["Egress"]);
});

test("a policy names directions and ports that exist", () => {
  const ports = [{ port: 80, protocol: "ICMP" }, { port: 0 }, { port: 80, endPort: 70 }];
  expect(problemsOf(networkPolicyStrategy, { spec: { ingress: [{ ports }], policyTypes: ["Up"] } })).toEqual([
    'spec.ingress[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"',
    "spec.ingress[0].ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive",
    "spec.ingress[0].ports[2].endPort: Invalid value: 70: must be greater than or equal to `port`",
    'spec.policyTypes[0]: Unsupported value: "Up": supported values: "Ingress", "Egress"',
  ]);
});

test.for<{ name: string; port: object; want: string }>([
  { name: "of no port", port: { endPort: 90 }, want: "may not be specified when `port` is not specified" },
  {
    name: "of a named port",
    port: { port: "http", endPort: 90 },
    want: "may not be specified when `port` is non-numeric",
  },
])("a policy has no end $name", ({ port, want }) => {
  expect(problemsOf(networkPolicyStrategy, { spec: { ingress: [{ ports: [port] }] } })).toEqual([
    `spec.ingress[0].ports[0].endPort: Invalid value: 90: ${want}`,
  ]);
});

const block = (cidr: string, ...except: string[]) => ({ ipBlock: { cidr, except } });
const selector = { matchLabels: { app: "web" } };

test.for<{ name: string; peer: object; want: string[] }>([
  { name: "Pods of some namespaces", peer: { podSelector: selector, namespaceSelector: {} }, want: [] },
  { name: "a network but for a part of it", peer: block("10.0.0.0/8", "10.1.0.0/16"), want: [] },
  { name: "an IPv6 network", peer: block("2001:db8::/32", "2001:db8:1::/48"), want: [] },
  { name: "nobody", peer: {}, want: ["spec.egress[0].to[0]: Required value: must specify a peer"] },
  {
    name: "Pods and a network",
    peer: { podSelector: selector, ...block("10.0.0.0/8") },
    want: ["spec.egress[0].to[0]: Forbidden: may not specify both ipBlock and another peer"],
  },
  {
    name: "Pods with a label that cannot be",
    peer: { podSelector: { matchLabels: { "-": "web" } } },
    want: [expect.stringContaining('spec.egress[0].to[0].podSelector.matchLabels: Invalid value: "-"')],
  },
  {
    name: "a network without a name",
    peer: { ipBlock: {} },
    want: ["spec.egress[0].to[0].ipBlock.cidr: Required value"],
  },
  {
    name: "what is no network",
    peer: block("10.0.0.1"),
    want: [
      'spec.egress[0].to[0].ipBlock.cidr: Invalid value: "10.0.0.1": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
  },
  {
    name: "a network but for others",
    peer: block("10.0.0.0/8", "11.0.0.0/16", "10.0.0.0/8", "2001:db8::/64", "x"),
    want: [
      'spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
      'spec.egress[0].to[0].ipBlock.except[1]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`',
      'spec.egress[0].to[0].ipBlock.except[2]: Invalid value: "2001:db8::/64": must be a strict subset of `cidr`',
      'spec.egress[0].to[0].ipBlock.except[3]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
  },
])("a policy about $name", ({ peer, want }) => {
  expect(problemsOf(networkPolicyStrategy, { spec: { egress: [{ to: [peer] }] } })).toEqual(want);
});
