import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createCertificateAuthority, issueCertificate } from "../../machinery/certificates/certificate.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { collectingLogger } from "../../testing/collecting-logger.ts";
import { followTls, readTls } from "./serving-tls.ts";

test("renewed files are read again after a minute, and half a renewal is waited out", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-picker-tls-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [clock, log, random] = [new VirtualClock(), collectingLogger(), seededRandom("tls")];
  const now = clock.now();
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
