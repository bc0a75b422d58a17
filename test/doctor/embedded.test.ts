import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { deployments, replicaSets, secrets } from "../../src/api/resources.ts";
import type { DoctorReport } from "../../src/cli/doctor/finding.ts";
import { mutatingWebhookConfigurations } from "../../src/steering/serving/webhook-configuration.ts";
import { typed } from "../cli/type-command.ts";
import { commandFolder, startCommand } from "../command-program.ts";
import { web } from "../deployment/builders.ts";
import { type EmbeddedCluster, makeNamespace, startEmbedded } from "../embedded-cluster.ts";
import { startHttpPicker } from "../picker/http-picker.ts";
import { eventually } from "../real-cluster/eventually.ts";
import { freePort } from "../real-cluster/free-port.ts";

let cluster: EmbeddedCluster;
let folder: ReturnType<typeof commandFolder>;
beforeAll(async () => {
  cluster = await startEmbedded();
  folder = commandFolder(cluster.access);
  await makeNamespace(cluster.client, "trimtab");
});
afterAll(async () => {
  folder?.remove();
  await cluster?.stop();
});

const typeDoctor = (...words: readonly string[]) =>
  typed("doctor", `--kubeconfig=${folder.kubeconfig}`, ...words);

/** What is bad, and all names, as `-o json` has them. */
async function doctor(...words: readonly string[]) {
  const { code, out } = await typeDoctor("-o", "json", ...words);
  const findings = (JSON.parse(out) as DoctorReport).groups.flatMap((group) => group.findings);
  const bad = findings.filter(({ state }) => state === "bad");
  return {
    code,
    names: findings.map(({ name }) => name),
    bad: bad.map(({ name, says }) => `${name}: ${says}`),
    mends: bad.map(({ mend }) => mend),
  };
}

test("an embedded cluster by itself needs no steering: its mode and its gates are said", async () => {
  const { code, out, err } = await typeDoctor();
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("ok    mode        embedded: the controllers of trimtab up decide");
  expect(out).toMatch(/ok {4}gates {7}DownscalePodPicker, .* on\n/);
  expect(out).toMatch(/\n\nNothing is wrong: 3 checks passed\.$/);
});

test("trimtab steer beside it is examined, too: answering, then ended", async () => {
  const port = await freePort();
  const settings = {
    apiVersion: "trimtab.dev/v1alpha1",
    kind: "SteeringConfiguration",
    namespace: "trimtab",
    webhook: { url: `https://127.0.0.1:${port}`, port },
  };
  const config = folder.write("steering.yaml", JSON.stringify(settings));
  const steer = await startCommand("steer", "--config", config, `--kubeconfig=${folder.kubeconfig}`);
  const { client } = cluster;
  await eventually("the webhooks", async () =>
    (await client.list(mutatingWebhookConfigurations, {})).items.find(
      ({ metadata }) => metadata.name === "trimtab-steer",
    ),
  );
  expect(await doctor()).toEqual({
    code: 0,
    names: [
      "API server",
      "mode",
      "gates",
      "mutating",
      "validating",
      "address",
      "certificate",
      "leader",
      "in force",
    ],
    bad: [],
    mends: [],
  });
  expect((await client.list(deployments, { namespace: "default" })).items).toEqual([]);
  await steer.stop();
  expect(await doctor()).toMatchObject({
    code: 1,
    bad: [
      "leader: nobody holds the Lease trimtab/trimtab-steer: no copy leads",
      "in force: steer was not asked about namespace default, or did not answer: a dry run with a wish that it refuses was accepted",
    ],
    mends: ["trimtab steer --config FILE", "kubectl get --raw /metrics | grep webhook_fail_open"],
  });
  await typed("uninstall", "--namespace=trimtab", `--kubeconfig=${folder.kubeconfig}`);
  expect(await doctor()).toMatchObject({ code: 0, names: ["API server", "mode", "gates"] });
});

test("the picker of a Deployment is asked, and its Secret looked for", async () => {
  const picker = await startHttpPicker(({ candidates }) => ({
    does: "answer",
    chosen: candidates.slice(0, 1),
  }));
  onTestFinished(() => picker.close());
  const draft = web({ replicas: 1 });
  const valueFrom = { secretKeyRef: { name: "picker", key: "token" } };
  const http = { host: "127.0.0.1", port: picker.port, httpHeaders: [{ name: "x-token", valueFrom }] };
  const { client } = cluster;
  await client.create(deployments, {
    ...draft,
    spec: { ...draft.spec, downscalePodPicker: { http, timeoutSeconds: 30 } },
  });
  expect(await doctor("deploy/web")).toMatchObject({
    code: 1,
    bad: [
      "picker Secrets: Secret picker is not there",
      'picker answers: it gave no answer: SecretMissing (Secret "picker" with key "token" does not exist); the order is the one without a picker',
    ],
    mends: ["kubectl -n default create secret generic picker --from-literal=token=VALUE", undefined],
  });
  await client.create(secrets, {
    metadata: { name: "picker", namespace: "default" },
    data: { token: Buffer.from("sesame").toString("base64") },
  });
  expect(await doctor("deploy/web")).toMatchObject({ code: 0, bad: [] });
  expect(picker.received.map(({ candidates }) => candidates)).toEqual([
    ["trimtab-doctor-x7v2p", "trimtab-doctor-q9k4z"],
  ]);
  const [replicaSet] = (await client.list(replicaSets, { namespace: "default" })).items;
  expect(await doctor(`rs/${replicaSet?.metadata.name}`)).toMatchObject({ code: 0, bad: [] });
});

test("a workload that is not there is a finding", async () => {
  expect(await doctor("deploy/none")).toMatchObject({
    code: 1,
    bad: expect.arrayContaining(["found: there is no Deployment none in namespace default"]),
  });
});

test("a cluster that does not answer is an error that names it", async () => {
  const port = await freePort();
  const kubeconfig = folder.write(
    "nobody",
    JSON.stringify({
      "current-context": "a",
      contexts: [{ name: "a", context: { cluster: "a" } }],
      clusters: [{ name: "a", cluster: { server: `http://127.0.0.1:${port}` } }],
    }),
  );
  const { code, err } = await typed("doctor", `--kubeconfig=${kubeconfig}`);
  expect(code).toBe(1);
  expect(err).toMatch(new RegExp(`^trimtab doctor: http://127\\.0\\.0\\.1:${port}: .`));
});
