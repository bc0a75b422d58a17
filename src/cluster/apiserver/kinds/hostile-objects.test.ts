import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../../api/feature-gates.ts";
import { fieldErrorsText } from "../../../api/field-error.ts";
import type { Json, JsonObject } from "../../../api/json.ts";
import { kindStrategyOf } from "./kinds.ts";

// About as many as fit into a request; anything that looks at each for each would take minutes.
const many = 50_000;
const context = { gates: defaultFeatureGates, now: 0 };
const list = (make: (index: number) => Json): Json[] =>
  Array.from({ length: many }, (_, index) => make(index));
const names = list((index) => `n${index}`);
const named = list((index) => ({ name: `n${index}` }));
const container = { name: "app", image: "x" };

const specs: readonly { name: string; spec: JsonObject }[] = [
  { name: "containers", spec: { containers: named, initContainers: named, ephemeralContainers: named } },
  {
    name: "volumes and mounts",
    spec: { volumes: named, containers: [{ ...container, volumeMounts: named, volumeDevices: named }] },
  },
  {
    name: "claims",
    spec: {
      resourceClaims: named,
      containers: [{ ...container, resources: { claims: list((index) => ({ name: `x${index}` })) } }],
    },
  },
  {
    name: "tolerations and gates",
    spec: {
      containers: [container],
      tolerations: list((index) => ({ key: `k${index}`, operator: "Exists" })),
      schedulingGates: named,
    },
  },
  {
    name: "keys of labels",
    spec: {
      containers: [container],
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: "zone",
          whenUnsatisfiable: "DoNotSchedule",
          labelSelector: { matchExpressions: list((index) => ({ key: `n${index}`, operator: "Exists" })) },
          matchLabelKeys: names,
          mismatchLabelKeys: names,
        },
      ],
    },
  },
  {
    name: "environments",
    spec: {
      containers: [
        { ...container, env: named, envFrom: list(() => ({})), ports: list(() => ({ name: "a" })) },
      ],
    },
  },
];

describe("a Pod with very many", () => {
  const pod = kindStrategyOf({ group: "", kind: "Pod" });
  test.for(specs)("$name is judged, not hung on", ({ spec }) => {
    const object = pod.defaults?.({ metadata: { name: "a" }, spec }) ?? {};
    const created = pod.prepareForCreate?.(object, context) ?? object;
    const errors = [
      ...(pod.validate?.(created, context, created) ?? []),
      ...(pod.validateUpdate?.({ next: { ...created }, previous: structuredClone(created) }, context) ?? []),
    ];
    expect(fieldErrorsText(errors).length).toBeLessThan(100_000);
  });

  test("conditions and containers that end is judged, not hung on", () => {
    const ended = list((index) => ({ name: `n${index}`, state: { terminated: { exitCode: 0 } } }));
    const running = list((index) => ({ name: `n${index}`, state: { running: {} } }));
    const conditions = list((index) => ({ type: `t${index % 2}`, status: "True", observedGeneration: 1 }));
    const spec = { restartPolicy: "Never", containers: named };
    const previous = { metadata: { name: "a" }, spec, status: { containerStatuses: ended, conditions } };
    const status = {
      containerStatuses: running,
      conditions: list((index) => ({ type: `t${index % 2}`, status: "True" })),
    };
    const next = pod.prepareForStatusUpdate?.({ next: { ...previous, status }, previous }, context) ?? {};
    expect(pod.validateStatusUpdate?.({ next, previous }, context)).toHaveLength(many);
  });
});

test("metadata with very much is judged, not hung on", () => {
  const strategy = kindStrategyOf({ group: "", kind: "ConfigMap" });
  const ownerReferences = list((index) => ({ uid: `u${index % 10}`, controller: true }));
  const labels = Object.fromEntries(Array.from({ length: many }, (_, index) => [`n${index}!`, "!"]));
  const previous = { metadata: { name: "a", deletionTimestamp: "t", finalizers: names } };
  const next = {
    metadata: {
      ...previous.metadata,
      ownerReferences,
      labels,
      annotations: labels,
      finalizers: [...names, "b"],
    },
  };
  const prepared = strategy.prepareForUpdate?.({ next, previous }, context) ?? next;
  const errors = [
    ...(strategy.validate?.(prepared, context, previous) ?? []),
    ...(strategy.validateUpdate?.({ next: prepared, previous }, context) ?? []),
  ];
  expect(fieldErrorsText(errors).length).toBeLessThan(100_000);
});
