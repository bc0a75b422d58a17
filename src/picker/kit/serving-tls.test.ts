import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { createCertificateAuthority, issueCertificate } from "../../machinery/certificates/certificate.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { collectingLogger } from "../../testing/collecting-logger.ts";
import { createPicker } from "./create-picker.ts";
import { followTls, readTls } from "./serving-tls.ts";

/** Certificates, and files that have the first of them. */
function certificateFiles(clock: VirtualClock) {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-picker-tls-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [now, random] = [clock.now(), seededRandom("tls")];
  const authority = createCertificateAuthority(now, random);
  const issue = () =>
    issueCertificate(authority, {
      subject: { commonName: "picker" },
      use: "server",
      hosts: ["picker"],
      now,
      random,
    });
  const files = { certificateFile: path.join(folder, "tls.crt"), keyFile: path.join(folder, "tls.key") };
  const [first, second] = [issue(), issue()];
  writeFileSync(files.certificateFile, first.certificate);
  writeFileSync(files.keyFile, first.key);
  return { files, first, second };
}

test("renewed files are read again after a minute, and half a renewal is waited out", async () => {
  const [clock, log] = [new VirtualClock(), collectingLogger()];
  const { files, second } = certificateFiles(clock);
  const read = readTls(files);
  const renewed = followTls(files, read.ok ? read.context : {}, { clock, log });

  writeFileSync(files.certificateFile, second.certificate);
  expect(renewed()).toBeUndefined(); // not a minute yet
  await clock.advance(60_000);
  expect(renewed()).toBeUndefined(); // the key is still the old one
  expect(log.entries).toMatchObject([{ level: "warn", message: "certificate not renewed" }]);
  writeFileSync(files.keyFile, second.key);
  await clock.advance(60_000);
  expect(renewed()).toMatchObject({ cert: second.certificate, key: second.key });
  await clock.advance(60_000);
  expect(renewed()).toBeUndefined(); // nothing new
});

/** The certificate that a port shows. */
async function shownAt(url: string): Promise<string> {
  const { port } = new URL(url.replace(/^grpc/, "http"));
  const socket = connect({ port: Number(port), host: "127.0.0.1", rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const shown = socket.getPeerX509Certificate()?.serialNumber ?? "";
  socket.destroy();
  return shown;
}

test("renewed files are shown on every port", async () => {
  const clock = new VirtualClock();
  const { files, first, second } = certificateFiles(clock);
  const picker = createPicker({ score: () => 0, clock, log: collectingLogger() });
  onTestFinished(() => picker.stop());
  const ports = { httpPort: 0, grpcPort: 0, host: "127.0.0.1" };
  const { url = "", grpcUrl = "" } = await picker.listen({ ...ports, tls: files });
  const serials = [first, second].map(({ certificate }) => new X509Certificate(certificate).serialNumber);
  expect([await shownAt(url), await shownAt(grpcUrl)]).toEqual([serials[0], serials[0]]);
  writeFileSync(files.certificateFile, second.certificate);
  writeFileSync(files.keyFile, second.key);
  await clock.advance(60_000);
  expect([await shownAt(url), await shownAt(grpcUrl)]).toEqual([serials[1], serials[1]]);
});
