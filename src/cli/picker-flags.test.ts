import { expect, test } from "vitest";
import { createCertificateAuthority } from "../machinery/certificates/certificate.ts";
import { seededRandom } from "../machinery/random/random.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { readPickerFlags } from "./picker-flags.ts";

test("without flags no host is allowed and the authorities of the system are trusted", () => {
  expect(readPickerFlags({})).toEqual({
    ok: true,
    access: { ca: undefined, allowed: { hosts: new Set(), networks: [] } },
  });
});

test("hosts and networks may be named, and an authority", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "picker-flags-"));
  const file = path.join(folder, "ca.pem");
  const { certificate } = createCertificateAuthority(0, seededRandom("flags"));
  try {
    writeFileSync(file, certificate);
    expect(
      readPickerFlags({ "picker-ca": file, "picker-allow": ["10.0.0.0/8", "Picker.example.com"] }),
    ).toMatchObject({
      ok: true,
      access: {
        ca: certificate,
        allowed: { hosts: new Set(["picker.example.com"]), networks: [{ length: 8 }] },
      },
    });
    writeFileSync(file, "nothing of the kind");
    expect(readPickerFlags({ "picker-ca": file })).toEqual({
      ok: false,
      problems: [`--picker-ca: ${file} holds no certificate`],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("all that is wrong is told", () => {
  const read = readPickerFlags({ "picker-ca": "/no/such/file", "picker-allow": ["http://x"] });
  expect(read).toMatchObject({
    ok: false,
    problems: [
      "--picker-allow: http://x is neither a host nor a network",
      "--picker-ca: /no/such/file: no such file",
    ],
  });
});
