import { Agent, request } from "undici";
import { setTimeout as wait } from "node:timers/promises";
import { defaultFeatureGates } from "../src/api/feature-gates.ts";
import type { Deployment, ReplicaSet } from "../src/api/generated/apps-v1.ts";
import type { Draft } from "../src/api/object.ts";
import { deployments, namespaces, pods, replicaSets } from "../src/api/resources.ts";
import { formatTime } from "../src/api/time.ts";
import { startCluster } from "../src/cluster/start-cluster.ts";
import { localWebhooks } from "../src/cluster/webhook-access.ts";
import { removalEncoder } from "../src/decisions/explain/removal-record.ts";
import { sizeEncoder } from "../src/decisions/explain/size-record.ts";
import type { Client } from "../src/machinery/client/client.ts";
import type { Connection } from "../src/machinery/client/connection/connection.ts";
import { HttpsClient } from "../src/machinery/client/http/https-client.ts";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { DecisionLog } from "../src/machinery/diagnostics/decision-log.ts";
import { silentLogger } from "../src/machinery/log/logger.ts";
import { prometheusMetrics } from "../src/machinery/metrics/prometheus-metrics.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import { emptyAllowList } from "../src/picker/addresses/address-policy.ts";
import { runSteering } from "../src/steering/run-steering.ts";
import { mutatingWebhookConfigurations } from "../src/steering/serving/webhook-configuration.ts";
import { paths } from "../src/steering/webhook-paths.ts";
import { allComponentsExcept } from "../src/testing/test-cluster.ts";
import { onLoadedMachine } from "./load.ts";
import { type Measure, percentile } from "./measure.ts";

/** How long `trimtab steer` takes to answer: all of it over HTTPS, in one process with the API server it asks. */
export async function steering(): Promise<readonly Measure[]> {
  return [...(await admission()), ...(await rollouts())];
}

const wishes = {
  "trimtab.dev/removal-order": "trimtab",
  "trimtab.dev/pod-replacement-policy": "TerminationComplete",
};

/** Reviews that shrink ReplicaSets of 1,000 Pods by 100; no API server means them, so that nothing follows. */
async function admission(): Promise<readonly Measure[]> {
  const steered = await startSteered(["service-account"]);
  try {
    const big = await Promise.all(
      Array.from({ length: 7 }, (_, index) => bigReplicaSet(steered.client, `big-${index}`)),
    );
    const idle = await steered.client.create(replicaSets, replicaSetOf("idle", 10, {}));
    await wait(2000);
    const ask = async (some: readonly ReplicaSet[]) => {
      const [removals, others]: [number[], number[]] = [[], []];
      for (let round = 0; round < 10; round++)
        for (const each of some) removals.push(await steered.review(each, 900 - round));
      for (let round = 0; round < 500; round++) others.push(await steered.review(idle, 5));
      return { removals, others };
    };
    await ask(big.slice(0, 1));
    const atRest = await ask(big.slice(1, 4));
    const loaded = await onLoadedMachine(() => ask(big.slice(4)));
    return [
      ...admissionMeasures(loaded, "beside a busy program per core"),
      ...admissionMeasures(atRest, "at rest"),
    ];
  } finally {
    await steered.stop();
  }
}

interface AdmissionTimes {
  readonly removals: readonly number[];
  readonly others: readonly number[];
}

function admissionMeasures({ removals, others }: AdmissionTimes, where: string): readonly Measure[] {
  return [
    {
      what: `p99 of the admission of a ReplicaSet of 1,000 Pods, 100 going, ${where}`,
      value: percentile(removals, 0.99),
      unit: "ms",
      bar: 20,
    },
    { what: "median of the same", value: percentile(removals, 0.5), unit: "ms" },
    {
      what: `p99 of the admission of a request that does not concern us, ${where}`,
      value: percentile(others, 0.99),
      unit: "ms",
      bar: 2,
    },
    { what: "median of the same", value: percentile(others, 0.5), unit: "ms" },
  ];
}

/** 200 Deployments of four Pods that all get another template, with steer and without. */
async function rollouts(): Promise<readonly Measure[]> {
  const measures: Measure[] = [];
  for (const [what, annotations] of [
    ["200 Deployments rolling out at once, not steered", {}],
    ["200 Deployments rolling out at once under TerminationComplete", wishes],
  ] as const) {
    const steered = await startSteered("all");
    try {
      const { client } = steered;
      for (let index = 0; index < 200; index++)
        await client.create(deployments, web(`web-${index}`, annotations));
      await untilRolled(client, 1);
      const start = performance.now();
      const spec = { template: { spec: { containers: [{ name: "web", image: "web:2" }] } } };
      for (let index = 0; index < 200; index++) {
        const at = { namespace: "default", name: `web-${index}` };
        await client.patch(deployments, at, { type: "strategic", body: { spec } });
      }
      await untilRolled(client, 2);
      measures.push({ what, value: performance.now() - start, unit: "ms" });
    } finally {
      await steered.stop();
    }
  }
  return measures;
}

/** Resolves when all 200 have their Pods; by a watch, since lists would be part of what is measured. */
async function untilRolled(client: Client, revision: number): Promise<void> {
  const done = new Set<string>();
  const enough = new AbortController();
  for await (const event of client.watch(deployments, { namespace: "default" }, enough.signal)) {
    if (event.type === "BOOKMARK") continue;
    const { metadata, status = {} } = event.object;
    const counts = [status.replicas, status.updatedReplicas, status.availableReplicas];
    const isDone =
      (metadata.generation ?? 0) >= revision &&
      counts.every((count) => count === 4) &&
      metadata.generation === status.observedGeneration;
    if (isDone) done.add(metadata.name);
    else done.delete(metadata.name);
    if (done.size === 200) return;
  }
}

/** A stock cluster whose API server listens, with these components, and steer beside it. */
async function startSteered(runs: readonly string[] | "all") {
  const clock = new WallClock();
  const gates = {
    ...defaultFeatureGates,
    PreferForScaleDownLabel: false,
    DownscalePodPicker: false,
    DeploymentPodReplacementPolicy: false,
  };
  const cluster = await startCluster({
    clock,
    random: seededRandom("bench"),
    nodes: 10,
    webhooks: localWebhooks({ allowed: emptyAllowList }),
    gates: { apiServer: () => gates, controllers: () => gates },
    without: runs === "all" ? [] : allComponentsExcept(...runs),
  });
  const access = await cluster.server.listen({ port: 0 });
  const connection: Connection = {
    server: access.url,
    credential: { type: "token", token: access.token },
    tls: { ca: access.ca, skipVerify: false },
    namespace: "default",
  };
  const own = new HttpsClient({ connection, clock });
  const port = 19_443;
  const ending = new AbortController();
  await cluster.client.create(namespaces, { metadata: { name: "trimtab" }, spec: {} });
  let running: Promise<void> = Promise.resolve();
  const url = `https://127.0.0.1:${port}`;
  await new Promise<unknown>((served) => {
    running = runSteering(
      {
        client: own,
        clock,
        random: seededRandom("bench"),
        log: silentLogger,
        metrics: prometheusMetrics(),
        gates: () => defaultFeatureGates,
        records: { removals: new DecisionLog(removalEncoder), sizes: new DecisionLog(sizeEncoder) },
        config: {
          name: "trimtab-steer",
          namespace: "trimtab",
          leftOut: ["kube-system", "trimtab"],
          address: { kind: "url", url },
          port,
          timeoutSeconds: 10,
          mode: "enforce",
          machineCosts: [],
          certificate: { kind: "secret", namespace: "trimtab", name: "certificate" },
          spread: [],
        },
        identity: "bench",
        diagnosticsPort: 0,
        onServing: served,
      },
      ending.signal,
    );
    running.catch(served);
  });
  while ((await cluster.client.list(mutatingWebhookConfigurations, {})).items.length === 0) await wait(20);
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  return {
    client: cluster.client,
    /** Sends what an API server would send; resolves to the milliseconds until the answer. */
    async review(replicaSet: ReplicaSet, replicas: number): Promise<number> {
      const oldObject = await cluster.client.get(replicaSets, replicaSet.metadata);
      const body = JSON.stringify({
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        request: {
          uid: "bench",
          resource: { group: "apps", version: "v1", resource: "replicasets" },
          operation: "UPDATE",
          namespace: "default",
          name: replicaSet.metadata.name,
          object: { ...oldObject, spec: { ...oldObject.spec, replicas } },
          oldObject,
        },
      });
      const start = performance.now();
      const answer = await request(`${url}${paths.sizes}?timeout=10s`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        dispatcher,
      });
      const text = await answer.body.text();
      if (!text.includes('"allowed":true')) throw new Error(text);
      return performance.now() - start;
    },
    async stop() {
      ending.abort(new Error("the bench is over"));
      await running;
      await dispatcher.close();
      await own.close();
      await access.close();
      await cluster.stop();
    },
  };
}

const containers = [{ name: "web", image: "web:1" }];

function replicaSetOf(
  name: string,
  replicas: number,
  annotations: Readonly<Record<string, string>>,
): Draft<ReplicaSet> {
  const labels = { app: name };
  return {
    metadata: { namespace: "default", name, labels, annotations },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}

async function bigReplicaSet(client: Client, name: string): Promise<ReplicaSet> {
  const made = await client.create(replicaSets, replicaSetOf(name, 1000, wishes));
  const lastTransitionTime = formatTime(new WallClock().now());
  const conditions = [{ type: "Ready", status: "True", lastTransitionTime }];
  const ownerReferences = [
    { apiVersion: "apps/v1", kind: "ReplicaSet", name, uid: made.metadata.uid, controller: true },
  ];
  for (let index = 0; index < 1000; index++) {
    const metadata = {
      namespace: "default",
      name: `${name}-${index}`,
      labels: { app: name },
      ownerReferences,
    };
    const pod = await client.create(pods, { metadata, spec: { containers, nodeName: `node-${index % 10}` } });
    await client.update(
      pods,
      { ...pod, status: { phase: "Running", conditions } },
      { subresource: "status" },
    );
  }
  return made;
}

function web(name: string, annotations: Readonly<Record<string, string>>): Draft<Deployment> {
  const labels = { app: name };
  return {
    metadata: { namespace: "default", name, annotations },
    spec: {
      replicas: 4,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers, terminationGracePeriodSeconds: 1 } },
    },
  };
}
