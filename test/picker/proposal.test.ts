import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { isReady } from "../../src/api/pod-state.ts";
import { events, pods, replicaSets, secrets, services } from "../../src/api/resources.ts";
import { createAuthority, issueCertificate } from "../../src/cluster/apiserver/certificates/certificate.ts";
import { keptDecisions } from "../../src/cluster/decisions-endpoint.ts";
import { pickersNearby } from "../../src/cluster/picker-reach.ts";
import { startCluster } from "../../src/cluster/start-cluster.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { prometheusMetrics } from "../../src/machinery/metrics/prometheus-metrics.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { nobodyAllowed } from "../../src/picker/address-policy.ts";
import { endpointAnnotation } from "../../src/picker/service-places.ts";
import { collectingLogger } from "../../src/testing/collecting-logger.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { startHttpPicker } from "./http-picker.ts";

/** As KEP-3189 has it, word for word. */
const manifest = `
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: my-replicaset
spec:
  replicas: 3
  selector:
    matchLabels:
      app: my-app
  template:
    metadata:
      labels:
        app: my-app
    spec:
      containers:
        - name: my-container
          image: my-image
  downscalePodPicker:
    http:
      host: my-app.my-namespace.svc.cluster.local
      httpHeaders:
        - name: authentication
          valueFrom:
            secretKeyRef:
              key: authentication-token
              name: my-secret
      path: "/downscale-pod-picker"
      port: 443
      scheme: "https"
    maxRetries: 3
    timeoutSeconds: 5
`;
const namespace = "my-namespace";
const host = "my-app.my-namespace.svc.cluster.local";
const token = "correct-horse-battery-staple";

/** Follows the Pods until they are as wanted. */
async function untilPods(client: Client, wanted: (pods: readonly Pod[]) => boolean): Promise<readonly Pod[]> {
  const enough = new AbortController();
  const seen = new Map<string, Pod>();
  for await (const event of client.watch(pods, { namespace }, enough.signal)) {
    if (event.type === "BOOKMARK") continue;
    const { object } = event;
    if (event.type === "DELETED") seen.delete(object.metadata.uid);
    else seen.set(object.metadata.uid, object);
    if (wanted([...seen.values()])) break;
  }
  return [...seen.values()];
}

test("the proposal's own manifest works unchanged, and what is secret stays so", async () => {
  const clock = new WallClock();
  const random = seededRandom("proposal");
  const authority = createAuthority(clock.now(), random.fork("authority"));
  const tls = issueCertificate(authority, {
    subject: { commonName: "picker" },
    use: "server",
    hosts: [host],
    now: clock.now(),
    random: random.fork("picker"),
  });
  const picker = await startHttpPicker(
    ({ candidates }) => ({ does: "answer", chosen: candidates.slice(1, 2), tied: ["not-ours"] }),
    tls,
  );
  onTestFinished(() => picker.close());
  const log = collectingLogger();
  const metrics = prometheusMetrics();
  const decisions = keptDecisions();
  const cluster = await startCluster({
    clock,
    random,
    log,
    metrics,
    decisions,
    pickerReach: pickersNearby({ ca: authority.certificate, allowed: nobodyAllowed }),
  });
  onTestFinished(() => cluster.stop());
  const { client } = cluster;
  await makeNamespace(client, namespace);
  const data = { "authentication-token": Buffer.from(token).toString("base64") };
  await client.create(secrets, { metadata: { namespace, name: "my-secret" }, data });
  const annotations = { [endpointAnnotation]: `127.0.0.1:${picker.port}` };
  await client.create(services, {
    metadata: { namespace, name: "my-app", annotations },
    spec: { selector: { app: "my-app" }, ports: [{ port: 443 }] },
  });

  const { metadata, ...rest } = parse(manifest) as Draft<ReplicaSet>;
  await client.create(replicaSets, { ...rest, metadata: { ...metadata, namespace } });
  const before = await untilPods(client, (all) => all.filter(isReady).length === 3);
  const body = { spec: { replicas: 2 } };
  await client.patch(replicaSets, { namespace, name: "my-replicaset" }, { type: "merge", body });
  const after = await untilPods(client, (all) =>
    all.some((pod) => pod.metadata.deletionTimestamp !== undefined),
  );

  const names = before.map((pod) => pod.metadata.name).toSorted();
  const going = after.filter((pod) => pod.metadata.deletionTimestamp !== undefined);
  expect(going.map((pod) => pod.metadata.name)).toEqual([names[1]]);
  expect(picker.received).toMatchObject([
    { requested: 1, candidates: names, headers: { authentication: token, host: `${host}:443` } },
  ]);

  const told = JSON.stringify([
    (await client.list(events, {})).items,
    log.entries,
    decisions.removals.find({ namespace: "", name: "" }),
    await metrics.text(),
  ]);
  expect(told).toContain("DownscalePodPickerInvalidResponse");
  for (const secret of [token, data["authentication-token"], "not-ours", "127.0.0.1:"])
    expect(told).not.toContain(secret);
});
