import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { DownscalePodPicker } from "../../src/api/generated/apps-v1.ts";
import { deployments, pods, secrets, services } from "../../src/api/resources.ts";
import { runCommand } from "../../src/cli/run-command.ts";
import { picker as pickerCommand } from "../../src/cli/commands/picker.ts";
import { commandFolder, seen } from "../command-program.ts";
import {
  createCertificateAuthority,
  issueCertificate,
} from "../../src/machinery/certificates/certificate.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { createPicker } from "../../src/picker/kit/create-picker.ts";
import { endpointAnnotation } from "../../src/api/well-known.ts";
import { type EmbeddedCluster, startEmbedded } from "../embedded-cluster.ts";

let cluster: EmbeddedCluster;
beforeAll(async () => {
  cluster = await startEmbedded();
});
afterAll(() => cluster.stop());

const now = new WallClock().now();
const random = seededRandom("kit in a cluster");
const authority = createCertificateAuthority(now, random.fork("authority"));
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** The Pods of a Deployment that are not being deleted, by name. */
async function podsOf(name: string): Promise<readonly string[]> {
  const { items } = await cluster.client.list(pods, { namespace: "default", labelSelector: `app=${name}` });
  return items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name)
    .toSorted();
}

/** A picker of the kit for a Service, with a token and mutual TLS; returns its port. */
async function startPicker(host: string, busy: ReadonlyMap<string, number>): Promise<number> {
  const issued = { subject: { commonName: "picker" }, hosts: [host], now, random };
  const picker = createPicker({
    score: (pod) => Promise.resolve(busy.get(pod) ?? 0),
    token: "sesame",
    timeoutMs: 20_000,
    log: silentLogger,
  });
  onTestFinished(() => picker.stop());
  const tls = {
    ...issueCertificate(authority, { ...issued, use: "server" }),
    clientCa: authority.certificate,
  };
  const { url = "" } = await picker.listen({ port: 0, host: "127.0.0.1", tls });
  return Number(new URL(url).port);
}

async function createObjects(
  name: string,
  port: number,
  downscalePodPicker: DownscalePodPicker,
): Promise<void> {
  const { client } = cluster;
  const metadata = { namespace: "default", name };
  const identity = issueCertificate(authority, {
    subject: { commonName: "trimtab" },
    use: "client",
    hosts: [],
    now,
    random,
  });
  await client.create(secrets, {
    metadata: { ...metadata, name: `${name}-picker` },
    data: {
      token: base64("Bearer sesame"),
      "ca.crt": base64(authority.certificate),
      "tls.crt": base64(identity.certificate),
      "tls.key": base64(identity.key),
    },
  });
  await client.create(services, {
    metadata: { ...metadata, annotations: { [endpointAnnotation]: `127.0.0.1:${port}` } },
    spec: { selector: { app: name }, ports: [{ port: 443 }] },
  });
  const labels = { app: name };
  const podSpec = { containers: [{ name: "app", image: "registry.example/app:1" }] };
  await client.create(deployments, {
    metadata: { ...metadata, labels },
    spec: {
      replicas: 5,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec },
      downscalePodPicker,
    },
  });
}

test.for(["http", "grpc"] as const)(
  "a picker of the kit decides which Pods of a Deployment stay, over %s with a token and mutual TLS from a Secret",
  async (protocol) => {
    const name = `web-${protocol}`;
    const host = `${name}.default.svc`;
    const busy = new Map<string, number>();
    const port = await startPicker(host, busy);
    const secret = `${name}-picker`;
    const headers = [{ name: "authorization", valueFrom: { secretKeyRef: { name: secret, key: "token" } } }];
    await createObjects(name, port, {
      ...(protocol === "http"
        ? { http: { host, port: 443, scheme: "HTTPS", httpHeaders: headers } }
        : { grpc: { host, port: 443, metadata: headers } }),
      tls: { caSecretRef: { name: secret }, clientCertificateSecretRef: { name: secret } },
      timeoutSeconds: 30,
    });
    await seen(cluster.client, deployments, { name, is: ({ status }) => status?.readyReplicas === 5 });

    const names = await podsOf(name);
    const busiest = [names[1] ?? "", names[3] ?? ""];
    for (const pod of names) busy.set(pod, busiest.includes(pod) ? 7 : 0);
    const scaled = { type: "merge", body: { spec: { replicas: 2 } } } as const;
    await cluster.client.patch(deployments, { namespace: "default", name }, scaled);
    const { status } = await seen(cluster.client, deployments, {
      name,
      is: ({ status }) => status?.replicas === 2 && healthOf(status?.conditions) !== undefined,
    });
    expect(await podsOf(name)).toEqual(busiest);
    expect(healthOf(status?.conditions)).toBe("True");
  },
);

type Conditions = readonly { readonly type: string; readonly status: string }[];

function healthOf(conditions: Conditions = []): string | undefined {
  return conditions.find(({ type }) => type === "DownscalePodPickerHealthy")?.status;
}

test("trimtab picker check --workload asks about the Pods of a Deployment", async () => {
  const { kubeconfig, remove } = commandFolder(cluster.access);
  onTestFinished(remove);
  const name = "checked";
  const asked = new Set<string>();
  const picker = createPicker({
    score: (pod) => {
      asked.add(pod);
      return 1;
    },
    timeoutMs: 20_000,
    log: silentLogger,
  });
  onTestFinished(() => picker.stop());
  const { url = "" } = await picker.listen({ httpPort: 0, host: "127.0.0.1" });
  await createObjects(name, 9, { http: { host: "elsewhere", port: 80 } });
  await seen(cluster.client, deployments, { name, is: ({ status }) => status?.readyReplicas === 5 });

  const [out, err]: [string[], string[]] = [[], []];
  const run = (...words: readonly string[]) =>
    runCommand([pickerCommand], ["picker", "check", url, "--kubeconfig", kubeconfig, ...words], {
      out: (text) => out.push(text),
      err: (text) => err.push(text),
      interrupted: new AbortController().signal,
    });
  expect({ code: await run("--workload", `deploy/${name}`, "--timeout=20s"), err }).toEqual({
    code: 0,
    err: [],
  });
  expect((await podsOf(name)).filter((pod) => !asked.has(pod))).toEqual([]);

  expect(await run("--workload", "deploy/none")).toBe(1);
  expect(err.join()).toContain('deployments.apps "none" not found');
});
