import * as fc from "fast-check";
import type { Json, JsonObject } from "../../src/api/json.ts";
import type { Scenario, Step } from "./replay.ts";

const few = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

/** An object of the members that are drawn; all may be absent, but those in `always`. */
function some(
  members: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  always: readonly string[] = [],
): fc.Arbitrary<JsonObject> {
  return fc.record(members, { requiredKeys: [...always] }) as fc.Arbitrary<JsonObject>;
}

const labels = fc.dictionary(few("a", "b", "c"), few("1", "2"), { maxKeys: 3 });
const byKey = (key: string, item: fc.Arbitrary<JsonObject>) =>
  fc.uniqueArray(item, { maxLength: 3, selector: (each) => each[key] });

const env = byKey("name", some({ name: few("X", "Y", "Z"), value: few("1", "2") }, ["name"]));
const ports = fc.uniqueArray(
  some({ containerPort: few(80, 81), protocol: few("TCP", "UDP"), name: few("p", "q") }, ["containerPort"]),
  {
    maxLength: 3,
    selector: ({ containerPort, protocol }) => JSON.stringify([containerPort, protocol ?? "TCP"]),
  },
);
const container = some(
  {
    name: few("app", "side", "log"),
    image: few("i:1", "i:2"),
    args: fc.array(few("x", "y"), { maxLength: 2 }),
    env,
    ports,
    resources: some({ limits: fc.dictionary(few("cpu", "memory"), few("1", "2"), { maxKeys: 2 }) }),
    securityContext: some({ privileged: fc.boolean(), runAsUser: few(0, 1) }),
  },
  ["name"],
);
const podSpec = some({
  // An empty list of containers is null to Kubernetes' decoder and an empty list to ours.
  containers: fc.uniqueArray(container, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
  tolerations: fc.array(some({ key: few("k", "l"), operator: few("Exists") }), { maxLength: 2 }),
  nodeSelector: labels,
  hostNetwork: fc.boolean(),
  volumes: byKey("name", some({ name: few("v", "w"), emptyDir: some({ medium: few("Memory") }) }, ["name"])),
  topologySpreadConstraints: fc.uniqueArray(
    some(
      {
        maxSkew: few(1, 2),
        topologyKey: few("t", "u"),
        whenUnsatisfiable: few("DoNotSchedule", "ScheduleAnyway"),
      },
      ["maxSkew", "topologyKey", "whenUnsatisfiable"],
    ),
    {
      maxLength: 2,
      selector: ({ topologyKey, whenUnsatisfiable }) => JSON.stringify([topologyKey, whenUnsatisfiable]),
    },
  ),
});
const metadata = some({
  labels,
  annotations: labels,
  finalizers: fc.uniqueArray(few("example.com/a", "example.com/b"), { maxLength: 2 }),
});

const bodies: Readonly<Record<string, fc.Arbitrary<JsonObject>>> = {
  "v1 ConfigMap": some({ metadata, data: labels, immutable: fc.boolean() }, ["metadata"]),
  "apps/v1 Deployment": some(
    {
      metadata,
      // No Deployment is without a selector, which Kubernetes' decoder would set to null.
      spec: some(
        {
          replicas: few(0, 1, 2),
          paused: fc.boolean(),
          selector: some({ matchLabels: labels }),
          strategy: some({
            type: few("Recreate", "RollingUpdate"),
            rollingUpdate: some({ maxSurge: few<Json>(1, "25%") }),
          }),
          template: some({ metadata: some({ labels }), spec: podSpec }),
        },
        ["selector"],
      ),
    },
    ["metadata", "spec"],
  ),
  "v1 Service": some(
    {
      metadata,
      spec: some({
        selector: labels,
        type: few("ClusterIP", "NodePort"),
        ports: fc.uniqueArray(
          some(
            {
              port: few(80, 81),
              protocol: few("TCP", "UDP"),
              targetPort: few<Json>(1, "web"),
              name: few("a", "b"),
            },
            ["port"],
          ),
          { maxLength: 3, selector: ({ port, protocol }) => JSON.stringify([port, protocol ?? "TCP"]) },
        ),
      }),
    },
    ["metadata"],
  ),
  "v1 Pod": some({ metadata, spec: podSpec }, ["metadata"]),
};

/** Steps of up to three managers and two updaters on an object of one kind. */
export const randomScenario: fc.Arbitrary<Scenario> = few(...Object.keys(bodies)).chain((head) => {
  const [apiVersion = "", kind = ""] = head.split(" ");
  const object = (bodies[head] ?? fc.constant<JsonObject>({})).map((body) => ({
    ...body,
    apiVersion,
    kind,
    metadata: { ...(body["metadata"] as JsonObject), name: "x" },
  }));
  const step: fc.Arbitrary<Step> = fc.record(
    {
      op: few("apply" as const, "apply" as const, "update" as const),
      manager: few("one", "two", "three"),
      force: maybe(fc.boolean()).map((force) => force ?? false),
      object,
    },
    { requiredKeys: ["op", "manager", "force", "object"] },
  );
  return fc.array(step, { minLength: 1, maxLength: 6 }).map((steps) => ({ apiVersion, kind, steps }));
});
