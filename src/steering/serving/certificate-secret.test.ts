import { X509Certificate } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { secrets } from "../../api/resources.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { silentLogger } from "../../machinery/log/logger.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { testCluster } from "../../testing/test-cluster.ts";
import { CertificateSecret } from "./certificate-secret.ts";

const secret = { namespace: "default", name: "certificate" };
const { signal } = new AbortController();

async function start() {
  const cluster = await testCluster({ components: [], nodes: 0, clock: new VirtualClock() });
  onTestFinished(() => cluster.stop());
  const { client, clock } = cluster;
  const copy = async (seed: string, hosts = ["steer.trimtab.svc", "127.0.0.1"]) => {
    const random = seededRandom(seed);
    const certificates = new CertificateSecret({ client, clock, random, log: silentLogger, secret, hosts });
    await certificates.load(signal);
    return certificates;
  };
  return { client, clock, copy };
}

test("all copies show the certificate of the first, for its names, signed by what the API server trusts", async () => {
  const { copy } = await start();
  const [one, other] = await Promise.all([copy("one"), copy("other")]);
  expect(one.identity).toEqual(other.identity);
  const shown = new X509Certificate(one.identity.certificate);
  expect(shown.checkHost("steer.trimtab.svc")).toBe("steer.trimtab.svc");
  expect(shown.checkIP("127.0.0.1")).toBe("127.0.0.1");
  expect(shown.verify(new X509Certificate(one.identity.trusted ?? "").publicKey)).toBe(true);
});

test("it is renewed before it ends, by the same authority, and all copies follow", async () => {
  const { clock, copy } = await start();
  const [one, other] = [await copy("one"), await copy("other")];
  const first = one.identity;
  const stopping = new AbortController();
  const running = [one.run(stopping.signal), other.run(stopping.signal)];
  await clock.advance(300_000);
  expect(one.identity).toBe(first);
  stopping.abort(new Error("enough"));
  await Promise.all(running);
  await clock.advance(320 * 86_400_000);
  await one.load(signal);
  await other.load(signal);
  expect(one.identity.certificate).not.toBe(first.certificate);
  expect(one.identity.trusted).toBe(first.trusted);
  expect(other.identity).toEqual(one.identity);
});

test("when the authority nears its end both are trusted for a while", async () => {
  const { clock, copy } = await start();
  const one = await copy("one");
  const first = one.identity.trusted ?? "";
  await clock.advance(3300 * 86_400_000);
  await one.load(signal);
  expect(one.identity.trusted).not.toBe(first);
  expect(one.identity.trusted?.endsWith(first)).toBe(true);
});

test("another name, and whatever else is written there, make a new one", async () => {
  const { client, copy } = await start();
  const one = await copy("one");
  const { identity } = await copy("other", ["moved.trimtab.svc"]);
  expect(identity.certificate).not.toBe(one.identity.certificate);
  await client.patch(secrets, secret, { type: "merge", body: { data: { "tls.key": "bm9uc2Vuc2U=" } } });
  await one.load(signal);
  expect(new X509Certificate(one.identity.certificate).checkHost("steer.trimtab.svc")).toBeDefined();
});

test("one that is not valid yet, made by a copy whose clock was ahead, is replaced", async () => {
  const { client, copy } = await start();
  const ahead = new VirtualClock();
  await ahead.advance(1000 * 86_400_000);
  const random = seededRandom("ahead");
  const hosts = ["steer.trimtab.svc", "127.0.0.1"];
  const early = new CertificateSecret({ client, clock: ahead, random, log: silentLogger, secret, hosts });
  await early.load(signal);
  const { identity } = await copy("one");
  expect(identity.certificate).not.toBe(early.identity.certificate);
  // The authority is as early as what it has signed; it stays trusted for those who have not read the new one.
  const [first = ""] = (identity.trusted ?? "").split(/(?<=-----END CERTIFICATE-----\n)/);
  expect(new X509Certificate(identity.certificate).verify(new X509Certificate(first).publicKey)).toBe(true);
  expect(first).not.toBe(early.identity.trusted);
});
