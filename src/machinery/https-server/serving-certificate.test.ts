import { once } from "node:events";
import { connect } from "node:tls";
import { X509Certificate } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { collectingLogger } from "../../testing/collecting-logger.ts";
import type { KeyPair } from "../certificates/certificate.ts";
import type { TextFile } from "../client/connection/text-file.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { seededRandom } from "../random/random.ts";
import { serveHttps } from "./serve-https.ts";
import { followCertificate, ownCertificate, readCertificate } from "./serving-certificate.ts";

const clock = new VirtualClock();
const pairOf = (name: string) => ownCertificate({ clock, random: seededRandom(name) });
const [first, second] = [pairOf("first"), pairOf("second")];
const files = { certificate: "tls.crt", key: "tls.key" };
const reading =
  (disk: () => KeyPair) =>
  (path: string): TextFile => ({ ok: true, text: disk()[path === "tls.crt" ? "certificate" : "key"] });

test("a certificate of our own is for this machine by name and by address", () => {
  const certificate = new X509Certificate(first.certificate);
  expect(certificate.checkHost("localhost")).toBe("localhost");
  expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
});

test("a certificate with the key of another is refused in one sentence", () => {
  const mixed = reading(() => ({ certificate: first.certificate, key: second.key }));
  const { problem } = readCertificate(files, mixed) as { problem: string };
  expect(problem).toMatch(/^tls\.crt and tls\.key are not a certificate and its key: [^\n]+$/);
});

test("a renewed certificate is shown without a restart, and half a renewal is not", async () => {
  let disk = first;
  const log = collectingLogger();
  const renewed = followCertificate(files, first, { clock, log, read: reading(() => disk) });
  const server = await serveHttps(() => () => undefined, { host: "127.0.0.1", port: 0, ...first, renewed });
  onTestFinished(() => server.close());
  const shown = async () => {
    const socket = connect({ port: server.port, host: "127.0.0.1", rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  };
  const serialOf = ({ certificate }: KeyPair) => new X509Certificate(certificate).serialNumber;

  disk = { ...first, certificate: second.certificate };
  await clock.advance(60_000);
  expect(await shown()).toBe(serialOf(first));
  expect(log.entries.map(({ level, message }) => `${level}: ${message}`)).toEqual([
    "warn: certificate not renewed",
  ]);
  disk = second;
  expect(await shown()).toBe(serialOf(first));
  await clock.advance(60_000);
  expect(await shown()).toBe(serialOf(second));
});
