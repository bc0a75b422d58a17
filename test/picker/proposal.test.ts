import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { isReady } from "../../src/api/pod-state.ts";
import { events, pods, replicaSets, secrets, services } from "../../src/api/resources.ts";
import {
  createCertificateAuthority,
  issueCertificate,
} from "../../src/machinery/certificates/certificate.ts";
import { createDecisionLogs } from "../../src/cluster/decisions-endpoint.ts";
import { localPickers } from "../../src/cluster/network-pickers.ts";
import { startCluster } from "../../src/cluster/start-cluster.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { prometheusMetrics } from "../../src/machinery/metrics/prometheus-metrics.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { emptyAllowList } from "../../src/picker/addresses/address-policy.ts";
import { endpointAnnotation } from "../../src/api/well-known.ts";
import { collectingLogger } from "../../src/testing/collecting-logger.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { follow } from "./follow.ts";
import { startHttpPicker } from "./http-picker.ts";

/** Copied from KEP-3189. */
const proposal = readFileSync(new URL("proposal.yaml", import.meta.url), "utf8");
const namespace = "my-namespace";
const host = "my-app.my-namespace.svc.cluster.local";
const token = "correct-horse-battery-staple";

test("the proposal's manifest works unchanged, and its Secret is nowhere else", async () => {
  const clock = new WallClock();
  const random = seededRandom("proposal");
  const authority = createCertificateAuthority(clock.now(), random.fork("authority"));
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
  const decisions = createDecisionLogs();
  const cluster = await startCluster({
    clock,
    random,
    log,
    metrics,
    decisions,
    pickerConnector: localPickers({ ca: authority.certificate, allowed: emptyAllowList }),
  });
  onTestFinished(() => cluster.stop());
  const { client } = cluster;
  await makeNamespace(client, namespace);
  const there = follow(client, pods, namespace);
  const data = { "authentication-token": Buffer.from(token).toString("base64") };
  await client.create(secrets, { metadata: { namespace, name: "my-secret" }, data });
  const annotations = { [endpointAnnotation]: `127.0.0.1:${picker.port}` };
  await client.create(services, {
    metadata: { namespace, name: "my-app", annotations },
    spec: { selector: { app: "my-app" }, ports: [{ port: 443 }] },
  });

  const { metadata, ...rest } = parse(proposal) as Draft<ReplicaSet>;
  await client.create(replicaSets, { ...rest, metadata: { ...metadata, namespace } });
  const before = await there.until((all) => all.filter(isReady).length === 3);
  const body = { spec: { replicas: 2 } };
  await client.patch(replicaSets, { namespace, name: "my-replicaset" }, { type: "merge", body });
  const after = await there.until((all) => all.some((pod) => pod.metadata.deletionTimestamp !== undefined));

  const names = before.map((pod) => pod.metadata.name).toSorted();
  const terminating = after.filter((pod) => pod.metadata.deletionTimestamp !== undefined);
  expect(terminating.map((pod) => pod.metadata.name)).toEqual([names[1]]);
  expect(picker.received).toMatchObject([
    { requested: 1, candidates: names, headers: { authentication: token, host: `${host}:443` } },
  ]);

  const reason = "DownscalePodPickerInvalidResponse";
  const recorded = await follow(client, events, namespace).until((all) =>
    all.some((event) => event.reason === reason),
  );
  const visible = JSON.stringify([
    recorded,
    log.entries,
    decisions.removals.find({ namespace: "", name: "" }),
    await metrics.text(),
  ]);
  expect(visible).toContain(reason);
  for (const secret of [token, data["authentication-token"], "not-ours", "127.0.0.1:"])
    expect(visible).not.toContain(secret);
});
