import { expect, test } from "vitest";
import { deployments, pods, replicaSets, replicationControllers } from "../../src/api/resources.ts";
import { lookAfter } from "../../src/controllers/look-after.ts";
import { DecisionRecords } from "../../src/controllers/decision-records.ts";
import { RolloutRecords } from "../../src/controllers/deployment/rollout-records.ts";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import { qualifiedName } from "../../src/api/resource.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { startCluster } from "../../src/cluster/start-cluster.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { prometheusMetrics } from "../../src/machinery/metrics/prometheus-metrics.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { silentLogger } from "../../src/machinery/log.ts";
import { failure } from "../../src/testing/fake-store.ts";
import { oversee, type OverseenRequest } from "../../src/testing/oversee.ts";
import { workloadControllerNames } from "../deployment/world.ts";
import { at, template, web } from "../deployment/builders.ts";
import { grantedRights, neededRights } from "./rights.ts";

test("the rights in deploy/ are exactly those that the controllers use", async () => {
  const clock = new VirtualClock();
  const random = seededRandom("rights");
  const cluster = await startCluster({ clock, random, nodes: 1, without: workloadControllerNames });
  const { client } = cluster;
  const line = oversee(client);
  const watches: OverseenRequest[] = [];
  const watching: Client = {
    ...line.client,
    watch: (resource, query, signal) => {
      watches.push({ verb: "watch", resource: qualifiedName(resource) });
      return line.client.watch(resource, query, signal);
    },
  };
  const ending = new AbortController();
  let running: Promise<void> = Promise.resolve();
  // The page for operators is opened outside of virtual time.
  await new Promise((opened) => {
    running = lookAfter(
      {
        client: watching,
        clock,
        random,
        log: silentLogger,
        metrics: prometheusMetrics(),
        gates: () => defaultFeatureGates,
        removals: new DecisionRecords(),
        rollouts: new RolloutRecords(),
        port: 0,
        lease: { namespace: "default", name: "trimtab-controllers" },
        identity: "me",
        opened,
      },
      ending.signal,
    );
  });
  const pass = () => clock.advance(60_000);
  await pass();

  // A rollout, a rollback by annotation, a history that is tidied; a name that is taken.
  await client.create(deployments, web({ spec: { revisionHistoryLimit: 1 } }));
  await pass();
  for (const image of ["web:2", "web:3"]) {
    const body = { spec: { template: { spec: { containers: [{ name: "web", image }] } } } };
    await client.patch(deployments, at("web"), { type: "strategic", body });
    await pass();
  }
  const rollback = { metadata: { annotations: { "deprecated.deployment.rollback.to": "0" } } };
  await client.patch(deployments, at("web"), { type: "merge", body: rollback });
  await pass();
  const replicaSet = (await client.list(replicaSets, {})).items.find(({ spec }) => spec.replicas !== 0);
  const changed = { spec: { template: { spec: { containers: [{ name: "web", image: "web:9" }] } } } };
  await client.patch(replicaSets, at(replicaSet?.metadata.name ?? ""), { type: "strategic", body: changed });
  await pass();

  // Orphans at every level, and statuses that somebody else wrote first.
  const labels = { app: "web", loose: "yes" };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template: template({}, labels) };
  await client.create(replicaSets, { metadata: { ...at("loose"), labels }, spec });
  await client.create(pods, {
    metadata: { ...at("loose"), labels },
    spec: { containers: [{ name: "c", image: "i" }] },
  });
  const rcLabels = { rc: "yes" };
  const rcSpec = { replicas: 2, selector: rcLabels, template: template({}, rcLabels) };
  let conflicts = 2;
  line.interfere(({ verb, subresource, resource }) =>
    verb === "update" && subresource === "status" && resource !== "deployments.apps" && conflicts-- > 0
      ? failure(409, "Conflict")
      : undefined,
  );
  await client.create(replicationControllers, { metadata: at("old"), spec: rcSpec });
  await pass();
  conflicts = 1;
  await client.patch(replicationControllers, at("old"), { type: "merge", body: { spec: { replicas: 1 } } });
  await pass();
  conflicts = 1;
  await client.patch(deployments, at("web"), { type: "merge", body: { spec: { replicas: 1 } } });
  await pass();

  ending.abort(new Error("the test is over"));
  await clock.advance(5000);
  await running;
  await cluster.stop();
  expect([...neededRights([...line.requests, ...watches])].toSorted()).toEqual(
    [...grantedRights("trimtab-controllers")].toSorted(),
  );
});
