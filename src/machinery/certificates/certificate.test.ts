import { createPrivateKey, X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { seededRandom } from "../random/random.ts";
import { createCertificateAuthority, issueCertificate } from "./certificate.ts";

const now = 1_767_225_600_000;
const random = seededRandom("certificates");
const authority = createCertificateAuthority(now, random);
const ca = new X509Certificate(authority.certificate);

test("an authority signs itself and may sign others", () => {
  expect(ca.ca).toBe(true);
  expect(ca.subject).toBe("CN=trimtab-ca");
  expect(ca.verify(ca.publicKey)).toBe(true);
  expect(ca.checkPrivateKey(createPrivateKey(authority.key))).toBe(true);
});

test("a server's certificate is the authority's, for the hosts it names and no longer than a year", () => {
  const hosts = ["localhost", "127.0.0.1", "::1", "fe80::1:2", "kubernetes.default.svc"];
  const issued = issueCertificate(authority, {
    subject: { commonName: "trimtab" },
    use: "server",
    hosts,
    now,
    random,
  });
  const leaf = new X509Certificate(issued.certificate);
  expect(leaf.ca).toBe(false);
  expect(leaf.checkIssued(ca)).toBe(true);
  expect(leaf.verify(ca.publicKey)).toBe(true);
  expect(leaf.checkPrivateKey(createPrivateKey(issued.key))).toBe(true);
  expect(leaf.checkHost("localhost")).toBe("localhost");
  expect(leaf.checkHost("example.com")).toBeUndefined();
  for (const address of ["127.0.0.1", "::1", "fe80::1:2"]) expect(leaf.checkIP(address)).toBe(address);
  expect(leaf.checkIP("10.0.0.1")).toBeUndefined();
  expect(leaf.validFrom).toBe("Dec 31 23:00:00 2025 GMT");
  expect(leaf.validTo).toBe("Dec 31 00:00:00 2026 GMT");
});

test("a client's certificate says who it is and in which groups", () => {
  const subject = { commonName: "jane", organizations: ["system:masters", "dev"] };
  const issued = issueCertificate(authority, { subject, use: "client", now, random });
  const leaf = new X509Certificate(issued.certificate);
  expect(leaf.subject).toBe("O=system:masters\nO=dev\nCN=jane");
  expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
});

test("certificates have numbers of their own, and years beyond 2049 their own form", () => {
  const later = createCertificateAuthority(2_400_000_000_000, random);
  const certificate = new X509Certificate(later.certificate);
  expect(certificate.serialNumber).not.toBe(ca.serialNumber);
  expect(certificate.validTo).toMatch(/ 2056 GMT$/);
});
