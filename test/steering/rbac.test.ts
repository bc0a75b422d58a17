import { expect, onTestFinished, test } from "vitest";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { deployments, namespaces, pods, replicaSets, services } from "../../src/api/resources.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { localWebhooks } from "../../src/cluster/webhook-access.ts";
import { removalEncoder } from "../../src/decisions/explain/removal-record.ts";
import { sizeEncoder } from "../../src/decisions/explain/size-record.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { DecisionLog } from "../../src/machinery/diagnostics/decision-log.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { prometheusMetrics } from "../../src/machinery/metrics/prometheus-metrics.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { emptyAllowList } from "../../src/picker/addresses/address-policy.ts";
import { runSteering } from "../../src/steering/run-steering.ts";
import { CertificateSecret } from "../../src/steering/serving/certificate-secret.ts";
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from "../../src/steering/serving/webhook-configuration.ts";
import { testCluster } from "../../src/testing/test-cluster.ts";
import { observeRequests } from "../controllers/observe-requests.ts";
import { grantedPermissions, neededPermissions } from "../controllers/rbac.ts";
import { looseReplicaSet, template, web } from "../deployment/builders.ts";
import { eventually } from "../real-cluster/eventually.ts";
import { freePort } from "../real-cluster/free-port.ts";
import { stockGates } from "./virtual.ts";

const namespace = "trimtab";
const at = (name: string) => ({ namespace: "default", name });
const wishes = {
  "trimtab.dev/removal-order": "trimtab",
  "trimtab.dev/pod-replacement-policy": "TerminationComplete",
};

/** `trimtab steer` as it runs in production, all of whose requests can be seen, called over HTTPS. */
async function start() {
  const clock = new WallClock();
  const cluster = await testCluster({
    clock,
    gates: stockGates,
    webhooks: localWebhooks({ allowed: emptyAllowList }),
  });
  await cluster.client.create(namespaces, { metadata: { name: namespace }, spec: {} });
  const { line, client, requests } = observeRequests(cluster.client);
  const port = await freePort();
  const metrics = prometheusMetrics();
  const ending = new AbortController();
  const constraints = [
    { maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "ScheduleAnyway" },
  ];
  let running: Promise<void> = Promise.resolve();
  await new Promise((served) => {
    running = runSteering(
      {
        client,
        clock,
        random: seededRandom("rights"),
        log: silentLogger,
        metrics,
        gates: () => ({ ...defaultFeatureGates, PodRemovalProtection: true }),
        records: { removals: new DecisionLog(removalEncoder), sizes: new DecisionLog(sizeEncoder) },
        config: {
          name: "trimtab-steer",
          namespace,
          leftOut: ["kube-system", namespace],
          address: { kind: "url", url: `https://127.0.0.1:${port}` },
          port,
          timeoutSeconds: 10,
          mode: "enforce",
          machineCosts: [],
          certificate: { kind: "secret", namespace, name: "trimtab-steer-certificate" },
          spread: [{ name: "zones", namespaceSelector: {}, constraints }],
        },
        lease: { namespace, name: "trimtab-steer" },
        identity: "me",
        diagnosticsPort: 0,
        onServing: served,
      },
      ending.signal,
    );
    running.catch(served);
  });
  onTestFinished(async () => {
    ending.abort(new Error("the test is over"));
    await running;
    await cluster.stop();
  });
  const users = cluster.client;
  await eventually(
    "the webhooks",
    async () => (await users.list(mutatingWebhookConfigurations, {})).items[0],
  );
  const settled = (name: string, replicas: number) =>
    eventually(`${replicas} Pods`, async () => {
      const { metadata, status = {} } = await users.get(deployments, at(name));
      const counts = [status.replicas, status.availableReplicas, status.updatedReplicas];
      const isObserved = status.observedGeneration === metadata.generation;
      return isObserved && counts.every((count) => count === replicas) ? true : undefined;
    });
  return { client: users, clock, line, settled, requests, metrics };
}

test("a copy that runs says whether it leads, and when its certificate ends", async () => {
  const { clock, metrics } = await start();
  const read = async (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, "m").exec(await metrics.text())?.[1]);
  await eventually("a leader", async () =>
    (await read('leader_election_master_status\\{name="trimtab-steer"\\}')) === 1 ? true : undefined,
  );
  const end = await read("trimtab_steer_certificate_end_timestamp_seconds");
  expect(end * 1000).toBeGreaterThan(clock.now() + 60 * 86_400_000);
});

async function protectOne(client: Client): Promise<void> {
  // Those that the scale-down before removes are still there while they end.
  const busy = (await client.list(pods, at(""))).items.find(isActive);
  const body = { metadata: { labels: { "trimtab.dev/protected": "" } } };
  await client.patch(pods, at(busy?.metadata.name ?? ""), { type: "merge", body });
}

test("over HTTPS, the rights in deploy/steer are exactly those that steer uses", async () => {
  const { client, clock, line, settled, requests } = await start();
  const late = { ...web({ replicas: 0 }), metadata: at("late") };
  const spec = { selector: { app: "web" }, ports: [{ port: 80 }] };
  await client.create(services, { metadata: at("web"), spec });
  await client.create(deployments, web({ replicas: 4, maxSurge: 1, maxUnavailable: 1, annotations: wishes }));
  await settled("web", 4);
  const [first] = (await client.list(pods, at(""))).items;
  expect(first?.spec.topologySpreadConstraints?.[0]?.labelSelector?.matchLabels).toMatchObject({
    app: "web",
  });
  expect(first?.metadata.annotations?.["trimtab.dev/default-spread"]).toBe("zones");

  // A rollout and scale-downs.
  await client.patch(deployments, at("web"), {
    type: "merge",
    body: { spec: { template: template({ image: "web:2" }) } } as never,
  });
  await settled("web", 4);
  const replicaSet = (await client.list(replicaSets, {})).items.find(({ spec }) => (spec.replicas ?? 0) > 0);
  await client.patch(replicaSets, at(replicaSet?.metadata.name ?? ""), {
    type: "merge",
    body: { spec: { replicas: 3 } },
    subresource: "scale",
  } as never);
  await client.patch(deployments, at("web"), { type: "merge", body: { spec: { replicas: 2 } } });
  await settled("web", 2);

  // A scale-down that a protected Pod holds back.
  await protectOne(client);
  await client.patch(deployments, at("web"), { type: "merge", body: { spec: { replicas: 0 } } });
  await settled("web", 1);

  // Pods of other owners.
  const containers = [{ name: "c", image: "i" }];
  const owned = (kind: string, apiVersion: string) => [
    { apiVersion, kind, name: "owner", uid: "0000", controller: true },
  ];
  for (const [kind, version] of [
    ["StatefulSet", "apps/v1"],
    ["ReplicationController", "v1"],
  ] as const) {
    const metadata = { ...at(kind.toLowerCase()), ownerReferences: owned(kind, version) };
    await client.create(pods, { metadata, spec: { containers } });
  }

  // A ReplicaSet of a Rollout.
  const loose = looseReplicaSet("of-a-rollout", { replicas: 0, annotations: wishes });
  const ownerReferences = owned("Rollout", "argoproj.io/v1alpha1");
  await client.create(replicaSets, { ...loose, metadata: { ...loose.metadata, ownerReferences } });

  // A wish that comes late, a configuration that a user changes, a certificate for another name.
  await client.create(deployments, late);
  await client.patch(deployments, at("late"), { type: "merge", body: { metadata: { annotations: wishes } } });
  await client.patch(
    validatingWebhookConfigurations,
    { name: "trimtab-steer" },
    { type: "merge", body: { webhooks: [] } },
  );
  const secret = { namespace, name: "trimtab-steer-certificate" };
  const other = {
    client: line.client,
    clock,
    random: seededRandom("other"),
    log: silentLogger,
    secret,
    hosts: ["other"],
  };
  await new CertificateSecret(other).load(new AbortController().signal);
  await eventually("an undone mark", async () =>
    (await client.list(pods, at(""))).items.some(
      ({ metadata }) => metadata.annotations?.["trimtab.dev/decision"],
    )
      ? undefined
      : true,
  );
  const granted = [...grantedPermissions("trimtab-steer")].toSorted();
  await eventually(
    "every right",
    async () => (granted.every((each) => neededPermissions(requests()).has(each)) ? true : undefined),
    20_000,
  ).catch(() => undefined);
  expect([...neededPermissions(requests())].toSorted()).toEqual(granted);
}, 120_000);
