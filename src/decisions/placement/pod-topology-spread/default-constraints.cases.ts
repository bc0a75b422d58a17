import type { CountCase } from "./counted-constraint.cases.ts";
import { hard, hasBar, place, service, soft } from "./spread-cluster.cases.ts";

const taint = { key: "k", value: "v", effect: "NoSchedule" };
const withTaint = [place("a"), place("b"), place("c", {}, { taints: [taint] })];
const ofList = (...defaultConstraints: Parameters<typeof hard>[0][]) => ({
  defaultingType: "List" as const,
  defaultConstraints: defaultConstraints.map((key) => hard(key, { labelSelector: null })),
});

/** The constraints of Pods that have none of their own. */
export const defaultCases: readonly CountCase[] = [
  {
    name: "takes hard defaults, and the selector of a Service, without any node",
    nodes: [],
    labels: { foo: "bar" },
    args: {
      defaultingType: "List",
      defaultConstraints: [
        hard("node", { labelSelector: null }),
        soft("zone", { labelSelector: null }),
        hard("planet", { labelSelector: null }),
      ],
    },
    services: [service("web", { foo: "bar" })],
    want: [
      { counts: {}, minimum: 0 },
      { counts: {}, minimum: 0 },
    ],
  },
  {
    name: "has no defaults for a Pod that no object selects",
    args: ofList("zone"),
    services: [service("other", { baz: "kar" })],
    want: null,
  },
  {
    name: "takes a default's policies and minimum of domains, but neither its selector nor its label keys",
    nodes: withTaint,
    foo: "1/2/4",
    bar: "3/0/0",
    labels: { foo: "", bar: "" },
    args: {
      defaultingType: "List",
      defaultConstraints: [
        hard("node", {
          labelSelector: hasBar,
          matchLabelKeys: ["bar"],
          minDomains: 3,
          nodeTaintsPolicy: "Honor",
        }),
      ],
    },
    services: [service("web", { foo: "" })],
    want: [{ counts: { a: 1, b: 2 }, minimum: 0 }],
  },
  {
    name: "never asks for defaults when the Pod has constraints",
    foo: "1/0/0/0",
    args: ofList("node"),
    services: [service("web", { foo: "" })],
    constraints: [hard("zone")],
    want: [{ counts: { zone1: 1, zone2: 0 }, minimum: 0 }],
  },
  {
    name: "has nothing to filter by when all defaults are soft",
    args: { defaultingType: "System" },
    services: [service("web", { foo: "" })],
    want: null,
  },
  { name: "has nothing to filter by without constraints", args: { defaultingType: "List" }, want: null },
];
