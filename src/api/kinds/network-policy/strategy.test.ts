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
