import { expect, onTestFinished, test } from "vitest";
import { secrets } from "../../src/api/resources.ts";
import {
  createCertificateAuthority,
  issueCertificate,
} from "../../src/machinery/certificates/certificate.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { createPicker } from "../../src/picker/kit/create-picker.ts";
import type { Protocol } from "../../src/picker/picker-settings.ts";
import { isClientCertificateAlert } from "../../src/picker/transport/tls-alert.ts";
import { testApi } from "../../src/testing/test-api.ts";
import { ask } from "./ask.ts";

const now = new WallClock().now();
const random = seededRandom("picker-tls");
const authority = createCertificateAuthority(now, random.fork("one"));
const otherAuthority = createCertificateAuthority(now, random.fork("other"));

function issue(use: "server" | "client", by = authority) {
  const hosts = use === "server" ? ["picker.internal"] : [];
  return issueCertificate(by, { subject: { commonName: use }, use, hosts, now, random });
}

/** A picker for `picker.internal` that asks callers for a certificate. */
async function startPicker(server = issue("server")): Promise<number> {
  const picker = createPicker({ score: () => 1, log: silentLogger, timeoutMs: 30_000 });
  onTestFinished(() => picker.stop());
  const tls = { ...server, clientCa: authority.certificate };
  const { url = "" } = await picker.listen({ port: 0, host: "127.0.0.1", tls });
  return Number(new URL(url).port);
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** A Secret as cert-manager writes it: the CA, the certificate and its key. */
function tlsSecret(ca = authority, pair = issue("client")) {
  const data = {
    "ca.crt": base64(ca.certificate),
    "tls.crt": base64(pair.certificate),
    "tls.key": base64(pair.key),
  };
  return { metadata: { namespace: "shop", name: "picker-client" }, type: "kubernetes.io/tls", data };
}

const both = {
  caSecretRef: { name: "picker-client" },
  clientCertificateSecretRef: { name: "picker-client" },
  serverName: "picker.internal",
};

const protocols: readonly Protocol[] = ["http", "grpc"];

test.for(protocols)(
  "over %s a picker is trusted by the CA of a Secret, is shown the certificate of a Secret, and the next call uses rotated ones",
  async (protocol) => {
    const { client, seed } = testApi();
    seed(secrets, tlsSecret());
    const port = await startPicker();
    const call = (options = {}) =>
      ask({ protocol, port, tls: true, client, secrets: both, maxRetries: 0, ...options });
    expect(await call()).toMatchObject({ kind: "answered", answer: { kind: "Ranked" } });

    const { clientCertificateSecretRef: _, ...withoutClient } = both;
    expect(await call({ secrets: withoutClient })).toMatchObject({
      failure: { class: "Refused", code: protocol === "http" ? "HTTP 401" : "gRPC UNAUTHENTICATED" },
    });

    // The CA of the controller is replaced, not added to.
    const at = { namespace: "shop", name: "picker-client" };
    await client.patch(secrets, at, { type: "merge", body: tlsSecret(otherAuthority) });
    expect(await call({ ca: authority.certificate })).toMatchObject({
      failure: { class: "CertificateRejected" },
    });

    await client.patch(secrets, at, {
      type: "merge",
      body: { data: { "ca.crt": base64(`${otherAuthority.certificate}\n${authority.certificate}`) } },
    });
    expect(await call()).toMatchObject({ kind: "answered" });
  },
);

test.for(protocols)(
  "over %s the name in the certificate has to be the one of the picker",
  async (protocol) => {
    const { client, seed } = testApi();
    seed(secrets, tlsSecret());
    const port = await startPicker();
    const wrong = { ...both, serverName: "other.internal" };
    expect(await ask({ protocol, port, tls: true, client, secrets: wrong })).toMatchObject({
      attempts: 1,
      failure: { class: "CertificateRejected" },
    });
  },
);

const otherKey = issue("client").key;

test.for([
  { name: "does not exist", data: undefined, want: { class: "SecretMissing" } },
  {
    name: "lacks a key",
    data: { "ca.crt": base64(authority.certificate) },
    want: { class: "SecretMissing" },
  },
  {
    name: "has no certificate of a CA",
    data: { ...tlsSecret().data, "ca.crt": base64("no PEM") },
    want: {
      class: "InvalidCertificate",
      problem: "tls.caSecretRef: the Secret has no valid certificates in PEM",
    },
  },
  {
    name: "has a certificate of a CA that is damaged",
    data: {
      ...tlsSecret().data,
      "ca.crt": base64("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"),
    },
    want: { class: "InvalidCertificate" },
  },
  {
    name: "has the key of another certificate",
    data: { ...tlsSecret().data, "tls.key": base64(otherKey) },
    want: {
      class: "InvalidCertificate",
      problem: "tls.clientCertificateSecretRef: tls.crt and tls.key are not a certificate and its key in PEM",
    },
  },
])("a Secret that $name is final, and no picker is called", async ({ data, want }) => {
  const { client, seed } = testApi();
  if (data !== undefined) seed(secrets, { ...tlsSecret(), data });
  expect(await ask({ protocol: "http", port: 9, tls: true, client, secrets: both })).toMatchObject({
    attempts: 1,
    failure: want,
  });
});

test.for([
  { text: "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", want: true },
  { text: "ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE", want: true },
  { text: "ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", want: true },
  { text: "No connection established. Last error: tlsv13 alert certificate required", want: true },
  { text: "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", want: false },
  { text: "unable to verify the first certificate", want: false },
])("$text is an alert about the client's certificate: $want", ({ text, want }) => {
  expect(isClientCertificateAlert(text)).toBe(want);
});
