import { expect, test } from "vitest";
import { createCertificateAuthority } from "../../machinery/certificates/certificate.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pickerFlags, readPickerFlags } from "./picker-flags.ts";

const defaults = Object.fromEntries(Object.entries(pickerFlags).map(([name, flag]) => [name, flag.default]));

test("without flags no host is allowed and the authorities of the system are trusted", () => {
  expect(readPickerFlags(defaults)).toEqual({
    ok: true,
    access: {
      ca: undefined,
      allowed: { hosts: new Set(), networks: [] },
      limits: { total: 50, perNamespace: 10, perAddress: 10 },
    },
  });
});

test("hosts and networks may be named, and an authority", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "picker-flags-"));
  const file = path.join(folder, "ca.pem");
  const { certificate } = createCertificateAuthority(0, seededRandom("flags"));
  try {
    writeFileSync(file, certificate);
    expect(
      readPickerFlags({
        ...defaults,
        "picker-ca": file,
        "picker-allow": ["10.0.0.0/8", "Picker.example.com"],
      }),
    ).toMatchObject({
      ok: true,
      access: {
        ca: certificate,
        allowed: { hosts: new Set(["picker.example.com"]), networks: [{ length: 8 }] },
      },
    });
    writeFileSync(file, "nothing of the kind");
    expect(readPickerFlags({ ...defaults, "picker-ca": file })).toEqual({
      ok: false,
      problems: [`--picker-ca: ${file} holds no certificate`],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the operator says how many calls there may be at a time", () => {
  const flags = {
    "picker-calls": "200",
    "picker-calls-per-namespace": "3",
    "picker-calls-per-address": "40",
  };
  expect(readPickerFlags({ ...defaults, ...flags })).toMatchObject({
    access: { limits: { total: 200, perNamespace: 3, perAddress: 40 } },
  });
  expect(readPickerFlags({ ...defaults, "picker-calls": "0", "picker-calls-per-address": "many" })).toEqual({
    ok: false,
    problems: [
      "--picker-calls must be a number from 1 to 10000",
      "--picker-calls-per-address must be a number from 1 to 10000",
    ],
  });
});

test("all that is wrong is told", () => {
  const read = readPickerFlags({ ...defaults, "picker-ca": "/no/such/file", "picker-allow": ["http://x"] });
  expect(read).toMatchObject({
    ok: false,
    problems: [
      "--picker-allow: http://x is neither a host nor a network",
      "--picker-ca: /no/such/file: no such file",
    ],
  });
});
