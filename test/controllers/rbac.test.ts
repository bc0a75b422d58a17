import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import {
  controllerRevisions,
  daemonSets,
  deployments,
  endpointSlices,
  pods,
  replicaSets,
  replicationControllers,
  secrets,
  services,
  statefulSets,
} from "../../src/api/resources.ts";
import { optionalControllers } from "../../src/controllers/optional-controllers.ts";
import { allowedPickers } from "../../src/cluster/network-pickers.ts";
import { pickerPortFactory } from "../../src/cluster/picker-access.ts";
import {
  workloadControllers,
  type WorkloadControllersOptions,
} from "../../src/controllers/workload-controllers.ts";
import { removalEncoder } from "../../src/decisions/explain/removal-record.ts";
import { rolloutEncoder } from "../../src/decisions/explain/rollout-record.ts";
import { DecisionLog } from "../../src/machinery/diagnostics/decision-log.ts";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import { delegatedAuthorizer } from "../../src/machinery/diagnostics/delegated-authorizer.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { emptyAllowList } from "../../src/picker/addresses/address-policy.ts";
import { apiFailure } from "../../src/machinery/client/api-error.ts";
import { observeClient } from "../../src/testing/observe-client.ts";
import { workloadControllerNames } from "../deployment/fixture.ts";
import { startEmbedded } from "../embedded-cluster.ts";
import { at, template, web } from "../deployment/builders.ts";
import { startOperated } from "./operated.ts";
import { grantedPermissions, neededPermissions } from "./rbac.ts";

const startControllers = (pickers?: WorkloadControllersOptions["pickers"]) =>
  startOperated({
    components: workloadControllers({
      gates: () => defaultFeatureGates,
      removals: new DecisionLog(removalEncoder),
      rollouts: new DecisionLog(rolloutEncoder),
      pickers,
    }),
    without: workloadControllerNames,
    lease: "trimtab-controllers",
  });

test("the permissions in deploy/ are exactly those that the controllers use", async () => {
  const { client, line, pass, end } = await startControllers();

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

  // Orphans at every level, and conflicts when statuses are written.
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
  line.failRequests(({ verb, subresource, collection }) =>
    verb === "update" && subresource === "status" && collection !== "deployments.apps" && conflicts-- > 0
      ? apiFailure(409, "Conflict")
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

  expect([...(await end())].toSorted()).toEqual([...grantedPermissions("trimtab-controllers")].toSorted());
});

test("the permissions in deploy/ for pod pickers are exactly what asking them takes besides", async () => {
  const access = { allowed: emptyAllowList };
  const { client, pass, end } = await startControllers(pickerPortFactory(allowedPickers(access)));
  // A picker behind a headless Service, with a word that it wants to hear; where it is, it is not called.
  await client.create(secrets, { metadata: at("word"), stringData: { it: "please" } });
  const ports = [{ name: "pick", port: 8080 }];
  await client.create(services, { metadata: at("picker"), spec: { clusterIP: "None", ports } });
  await client.create(endpointSlices, {
    metadata: { ...at("picker-1"), labels: { "kubernetes.io/service-name": "picker" } },
    addressType: "IPv4",
    endpoints: [{ addresses: ["192.0.2.7"] }],
    ports,
  });
  const httpHeaders = [{ name: "Word", valueFrom: { secretKeyRef: { name: "word", key: "it" } } }];
  const http = { host: "picker", port: "pick", path: "/", scheme: "HTTP", httpHeaders };
  await client.create(deployments, web({ replicas: 3, spec: { downscalePodPicker: { http } } }));
  await pass();
  await client.patch(deployments, at("web"), { type: "merge", body: { spec: { replicas: 1 } } });
  await pass();

  const granted = grantedPermissions("trimtab-controllers");
  const besides = [...(await end())].filter((permission) => !granted.has(permission));
  expect(besides.toSorted()).toEqual([...grantedPermissions("trimtab-pod-pickers")].toSorted());
});

test("the permissions in deploy/ for StatefulSets are exactly what their controller needs besides", async () => {
  const { client, line, pass, end } = await startOperated({
    components: optionalControllers({ gates: () => defaultFeatureGates }).filter(
      ({ name }) => name === "statefulset",
    ),
    without: ["statefulset"],
    lease: "trimtab-controllers",
  });
  const labels = { app: "db" };
  const change = (body: JsonObject) =>
    client.patch(statefulSets, at("db"), { type: "strategic", body: { spec: body } });
  const setImage = (image: string) =>
    change({ template: { spec: { containers: [{ name: "web", image }] } } });
  await client.create(statefulSets, {
    metadata: at("db"),
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: template({}, labels),
      podManagementPolicy: "Parallel",
      revisionHistoryLimit: 0,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Delete" },
      volumeClaimTemplates: [
        {
          metadata: { name: "data" } as never,
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      ],
    },
  });
  await pass();
  const name = { "statefulset.kubernetes.io/pod-name": null };
  await client.patch(pods, at("db-0"), { type: "merge", body: { metadata: { labels: name } } });
  // A Pod and a revision that are nobody's; one name of a revision is taken.
  const orphan = { type: "merge", body: { metadata: { ownerReferences: null } } } as const;
  await client.patch(pods, at("db-1"), orphan);
  for (const { metadata } of (await client.list(controllerRevisions, {})).items) {
    await client.patch(controllerRevisions, metadata, orphan);
  }
  let taken = 1;
  let conflicts = 1;
  line.failRequests(({ verb, collection, subresource }) => {
    const isTaken = verb === "create" && collection === "controllerrevisions.apps" && taken-- > 0;
    if (isTaken) return apiFailure(409, "AlreadyExists");
    return subresource === "status" && conflicts-- > 0 ? apiFailure(409, "Conflict") : undefined;
  });
  await pass();
  for (const image of ["db:2", "db:3", "db:2"]) {
    await setImage(image);
    await pass();
    await pass();
  }
  await change({ replicas: 1 });
  await pass();
  const granted = grantedPermissions("trimtab-controllers");
  const besides = [...(await end())].filter((permission) => !granted.has(permission));
  expect(besides.toSorted()).toEqual([...grantedPermissions("trimtab-statefulset-controller")].toSorted());
});

test("the permissions in deploy/ for DaemonSets are exactly what their controller needs besides", async () => {
  const { client, line, pass, end } = await startOperated({
    components: optionalControllers({ gates: () => defaultFeatureGates }).filter(
      ({ name }) => name === "daemonset",
    ),
    without: ["daemonset"],
    lease: "trimtab-controllers",
  });
  const labels = { app: "agent" };
  const spec = { selector: { matchLabels: labels }, template: template({}, labels), revisionHistoryLimit: 0 };
  await client.create(daemonSets, { metadata: at("agent"), spec });
  await pass();
  // Pods and a revision that are nobody's; one name of a revision is taken, and a status is written by another.
  const orphan = { type: "merge", body: { metadata: { ownerReferences: null } } } as const;
  for (const { metadata } of (await client.list(controllerRevisions, {})).items)
    await client.patch(controllerRevisions, metadata, orphan);
  for (const { metadata } of (await client.list(pods, {})).items) await client.patch(pods, metadata, orphan);
  let taken = 1;
  let conflicts = 1;
  line.failRequests(({ verb, collection, subresource }) => {
    const isTaken = verb === "create" && collection === "controllerrevisions.apps" && taken-- > 0;
    if (isTaken) return apiFailure(409, "AlreadyExists");
    return subresource === "status" && conflicts-- > 0 ? apiFailure(409, "Conflict") : undefined;
  });
  await pass();
  for (const image of ["agent:2", "agent:3", "agent:2"]) {
    const body = { spec: { template: { spec: { containers: [{ name: "web", image }] } } } };
    await client.patch(daemonSets, at("agent"), { type: "strategic", body });
    await pass();
    await pass();
  }
  const granted = grantedPermissions("trimtab-controllers");
  const besides = [...(await end())].filter((permission) => !granted.has(permission));
  expect(besides.toSorted()).toEqual([...grantedPermissions("trimtab-daemonset-controller")].toSorted());
});

test("the permissions in deploy/ for --bind are exactly what it takes to let others read metrics", async () => {
  const { client: inner, access, stop } = await startEmbedded({ components: [] });
  onTestFinished(stop);
  const { client, requests } = observeClient(inner);
  const authorize = delegatedAuthorizer({ client, clock: new VirtualClock(), log: silentLogger });
  const authorization = `Bearer ${access.token}`;
  expect(await authorize({ authorization, verb: "get", path: "/metrics" })).toEqual({ allowed: true });
  expect(neededPermissions(requests)).toEqual(grantedPermissions("trimtab-auth-delegator"));
});
