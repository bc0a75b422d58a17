import { deployments, horizontalPodAutoscalers } from "../../../src/api/resources.ts";
import { oneOf, randomInt } from "../../../src/machinery/random/random.ts";
import type { UserStep } from "./scenario.ts";

// A Deployment that an autoscaler scales by a load that users change, besides what else they do to it.

const web = { namespace: "default", name: "web" };
const deployment = { kind: "Deployment", ...web };
const autoscaler = { kind: "HorizontalPodAutoscaler", ...web };
const labels = { app: "web" };
const load = (curve: string) => ({ "sim.trimtab.dev/load": `cpu: { total: ${curve} }` });

/** Creates the Deployment and its autoscaler, with or without a behavior. */
export const createAutoscaled: UserStep = async ({ client, random }) => {
  const resources = { requests: { cpu: "100m" } };
  await client.create(deployments, {
    metadata: { ...web, annotations: load("{ wave: { low: 50m, high: 400m, period: 10m } }") },
    spec: {
      replicas: 1 + randomInt(random, 5),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "web", image: "web:0", resources }] },
      },
    },
  });
  const rules = { stabilizationWindowSeconds: 30, policies: [{ type: "Pods", value: 2, periodSeconds: 30 }] };
  await client.create(horizontalPodAutoscalers, {
    metadata: web,
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      maxReplicas: 8,
      ...(random.next() < 0.5 && { behavior: { scaleUp: rules, scaleDown: rules } }),
    },
  });
};

/** Changes the load, now and then to one that cannot be read. */
export const changeLoad: UserStep = ({ perform, random }) => {
  const curve = oneOf(["0", "200m", "1", "{ wave: { low: 0, high: 1, period: 5m } }", "much"], random) ?? "0";
  return perform({ action: "annotate", ...deployment, annotations: load(curve) });
};

/** Changes the bounds, so that the target may be outside of them. */
export const changeBounds: UserStep = ({ perform, random }) => {
  const minReplicas = 1 + randomInt(random, 4);
  const spec = { minReplicas, maxReplicas: minReplicas + randomInt(random, 6) };
  return perform({ action: "patch", ...autoscaler, patch: { type: "merge", body: { spec } } });
};

/** Scales by hand, which the autoscaler corrects unless it is to zero. */
export const scaleByHand: UserStep = ({ perform, random }) =>
  perform({ action: "scale", ...deployment, replicas: randomInt(random, 12) });

/** Leaves the Deployment as it is. */
export const removeAutoscaler: UserStep = ({ perform }) => perform({ action: "delete", ...autoscaler });
