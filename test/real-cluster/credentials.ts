import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import {
  type CertificateAuthority,
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  type Subject,
} from "../../src/machinery/certificates/certificate.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { newSecret, systemRandom } from "../../src/machinery/random/system-random.ts";

/** The files that a control plane is started with, and the secrets in them. */
export interface Credentials {
  readonly ca: string;
  /** Of a member of system:masters. */
  readonly token: string;
  readonly files: Readonly<
    Record<"ca" | "serving" | "servingKey" | "tokens" | "accountKey" | "accountPublicKey", string>
  >;
  /** A client certificate that the API server accepts. */
  readonly certificateFor: (subject: Subject) => KeyPair;
}

const names = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];

/** Makes the secrets of a new cluster, in files that only this user can read. */
export function makeCredentials(folder: string): Credentials {
  const [now, random] = [new WallClock().now(), systemRandom()];
  const authority: CertificateAuthority = createCertificateAuthority(now, random);
  const serving = issueCertificate(authority, {
    subject: { commonName: "kube-apiserver" },
    use: "server",
    hosts: ["127.0.0.1", ...names],
    now,
    random,
  });
  const account = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const token = newSecret();
  const write = (name: string, text: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  return {
    ca: authority.certificate,
    token,
    files: {
      ca: write("ca.crt", authority.certificate),
      serving: write("serving.crt", serving.certificate),
      servingKey: write("serving.key", serving.key),
      tokens: write("tokens.csv", `${token},admin,admin,"system:masters"\n`),
      accountKey: write(
        "account.key",
        account.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      ),
      accountPublicKey: write(
        "account.pub",
        account.publicKey.export({ type: "spki", format: "pem" }).toString(),
      ),
    },
    certificateFor: (subject) => issueCertificate(authority, { subject, use: "client", now, random }),
  };
}
