import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import type { DownscalePodPicker } from "../../src/api/generated/apps-v1.ts";
import type { Event, Pod } from "../../src/api/generated/core-v1.ts";
import { isReady } from "../../src/api/pod-state.ts";
import { events, pods, replicaSets } from "../../src/api/resources.ts";
import {
  createCertificateAuthority,
  issueCertificate,
} from "../../src/machinery/certificates/certificate.ts";
import { localPickers } from "../../src/cluster/network-pickers.ts";
import { startCluster } from "../../src/cluster/start-cluster.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { emptyAllowList } from "../../src/picker/addresses/address-policy.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { follow } from "./follow.ts";
import { startHttpServer } from "./http-picker.ts";

const namespace = "shop";
const answer = (names: readonly string[]) => JSON.stringify({ chosen_pods: names });

/** The misbehaviour of each picker, by request path. */
const manners: Readonly<Record<string, RequestListener>> = {
  "/hangs": () => undefined,
  "/drips": (_, response) => void response.writeHead(200, { "content-length": "100" }).write("{"),
  "/resets": (_, response) => void response.destroy(),
  "/floods": (_, response) => void response.end(answer(["x".repeat(2 * 1024 * 1024)])),
  "/explodes": (_, response) =>
    void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(8 * 1024 * 1024))),
  "/redirects": (_, response) =>
    void response.writeHead(307, { location: "http://169.254.169.254/latest/meta-data/" }).end(),
  "/refuses": (_, response) => void response.writeHead(403).end(),
  "/is-busy": (_, response) => void response.writeHead(503).end(),
  "/names-other-pods": (_, response) => void response.end(answer(["other-namespace/web-1"])),
  "/names-thousands": (_, response) =>
    void response.end(answer(Array.from({ length: 10_000 }, (_, i) => `x${i}`))),
  "/names-proto": (_, response) =>
    void response.end('{"chosen_pods":["__proto__"],"__proto__":{"tied_pods":[]}}'),
  "/nests": (_, response) => void response.end("[".repeat(1024 * 1024)),
  "/is-not-utf-8": (_, response) => void response.end(Buffer.from([0x7b, 0xff, 0xfe])),
};

test("whatever a picker does, the scale-down happens, with one event", async () => {
  const clock = new WallClock();
  const random = seededRandom("hostile");
  const authority = createCertificateAuthority(clock.now(), random.fork("authority"));
  const subject = { commonName: "another-host" };
  const hosts = ["another-host.example.com"];
  const certificate = issueCertificate(authority, {
    subject,
    use: "server",
    hosts,
    now: clock.now(),
    random,
  });
  const listener: RequestListener = (request, response) => {
    request.resume().on("end", () => manners[request.url ?? ""]?.(request, response));
  };
  const plain = await startHttpServer(listener);
  const secure = await startHttpServer(listener, certificate);
  onTestFinished(() => plain.close());
  onTestFinished(() => secure.close());

  let apiServer = "";
  const access = { ca: authority.certificate, allowed: emptyAllowList, apiServer: () => apiServer };
  const cluster = await startCluster({ clock, random, pickerConnector: localPickers(access) });
  onTestFinished(() => cluster.stop());
  const door = await cluster.server.listen({ port: 0, authority });
  onTestFinished(() => door.close());
  apiServer = door.url;
  const { client } = cluster;
  await makeNamespace(client, namespace);
  const podsThere = follow(client, pods, namespace);
  const eventsThere = follow(client, events, namespace);

  const here = { host: "127.0.0.1", port: plain.port };
  const secretKeyRef = { name: "gone", key: "token" };
  const pickers: Record<string, DownscalePodPicker> = {
    ...Object.fromEntries(
      Object.keys(manners).map((path) => [path.slice(1), { http: { ...here, path } }] as const),
    ),
    "has-no-secret": { http: { ...here, httpHeaders: [{ name: "x-token", valueFrom: { secretKeyRef } }] } },
    "has-another-certificate": { http: { host: "127.0.0.1", port: secure.port, scheme: "HTTPS" } },
    "is-the-api-server": { http: { host: "localhost", port: door.port, scheme: "HTTPS" } },
    "is-metadata": { http: { host: "169.254.169.254", port: 80 } },
    "is-no-service": { grpc: { host: "unknown.shop.svc", port: "grpc" } },
    "speaks-no-grpc": { grpc: { host: "127.0.0.1", port: plain.port, tls: false } },
  };
  const names = Object.keys(pickers);
  // Pickers that answer get enough time for a busy machine.
  const endless = new Set(["hangs", "drips"]);
  for (const [name, picker] of Object.entries(pickers)) {
    const downscalePodPicker = { ...picker, timeoutSeconds: endless.has(name) ? 1 : 30 };
    const labels = { app: name };
    const spec = { containers: [{ name: "app", image: "registry.example/app:1" }] };
    const template = { metadata: { labels }, spec };
    await client.create(replicaSets, {
      metadata: { namespace, name },
      spec: { replicas: 3, selector: { matchLabels: labels }, template, downscalePodPicker },
    });
  }
  await podsThere.until((all) => all.filter(isReady).length === 3 * names.length);
  for (const name of names) {
    const body = { spec: { replicas: 2 } };
    await client.patch(replicaSets, { namespace, name }, { type: "merge", body });
  }

  const isGoing = ({ metadata }: Pod) => metadata.deletionTimestamp !== undefined;
  const going = await podsThere.until((all) => all.filter(isGoing).length === names.length);
  expect(
    going
      .filter(isGoing)
      .map(({ metadata }) => metadata.labels?.["app"] ?? "")
      .toSorted(),
  ).toEqual(names.toSorted());

  const isOfPicker = ({ reason = "" }: Event) => reason.startsWith("DownscalePodPicker");
  const told = await eventsThere.until((all) => all.filter(isOfPicker).length >= names.length);
  const byName = told
    .filter(isOfPicker)
    .map(({ involvedObject, count }) => `${involvedObject.name} ${count}`);
  expect(byName.toSorted()).toEqual(names.map((name) => `${name} 1`).toSorted());
  const classes = told.filter(isOfPicker).map(({ involvedObject, message = "" }) => {
    return `${involvedObject.name}: ${/\(\w+|named \d+/.exec(message)?.[0].replace("(", "")}`;
  });
  expect(classes.toSorted()).toEqual(
    [
      "names-other-pods: named 1",
      "drips: Timeout",
      "explodes: Malformed",
      "floods: TooLarge",
      "hangs: Timeout",
      "has-no-secret: SecretMissing",
      "is-busy: Refused",
      "is-metadata: AddressNotAllowed",
      "is-no-service: HostUnresolved",
      "is-not-utf-8: Malformed",
      "has-another-certificate: CertificateRejected",
      "is-the-api-server: AddressNotAllowed",
      "names-proto: named 1",
      "nests: Malformed",
      "names-thousands: named 10000",
      "redirects: Redirected",
      "refuses: Refused",
      "resets: ConnectionFailed",
      "speaks-no-grpc: ConnectionFailed",
    ].toSorted(),
  );
});
