// A server of Node refuses client certificates without an alert, one of OpenSSL (and of Go) with one: under TLS 1.3 only when
// the client has sent its request.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import {
  createCertificateAuthority,
  issueCertificate,
} from "../../src/machinery/certificates/certificate.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { grpcTransport } from "../../src/picker/transport/grpc-transport.ts";
import { httpTransport } from "../../src/picker/transport/http-transport.ts";

const now = new WallClock().now();
const random = seededRandom("client-certificate");
const authority = createCertificateAuthority(now, random.fork("one"));
const stranger = createCertificateAuthority(now, random.fork("other"));
const host = "127.0.0.1";

const hasOpenSsl = await promisify(execFile)("openssl", ["version"]).then(
  () => true,
  () => false,
);

/** A port that is free now: s_server does not say which one it took. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Serves with OpenSSL, for clients with a certificate of the authority. */
async function serveWithOpenSsl(version: string): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-openssl-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const subject = { commonName: "picker" };
  const pair = issueCertificate(authority, { subject, use: "server", hosts: [host], now, random });
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const port = await freePort();
  const cert = file("tls.crt", pair.certificate);
  const key = file("tls.key", pair.key);
  const ca = file("ca.crt", authority.certificate);
  const flags = `-accept ${host}:${port} ${version} -www -alpn h2,http/1.1 -cert ${cert} -key ${key} -CAfile ${ca} -Verify 1 -verify_return_error`;
  const server = spawn("openssl", ["s_server", ...flags.split(" ")], { stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void server.kill());
  let said = "";
  while (!said.includes("ACCEPT")) said += String((await once(server.stdout, "data"))[0]);
  return port;
}

function clientOf(by: typeof authority) {
  return issueCertificate(by, { subject: { commonName: "client" }, use: "client", hosts: [], now, random });
}

const transports = { http: httpTransport({}), grpc: grpcTransport({}) };

// Without a certificate a server of TLS 1.2 says "handshake failure", which may be anything.
test.runIf(hasOpenSsl).for(
  (["http", "grpc"] as const).flatMap((protocol) => [
    { protocol, version: "-tls1_3", shown: "no certificate", client: undefined },
    { protocol, version: "-tls1_3", shown: "a stranger's certificate", client: clientOf(stranger) },
    { protocol, version: "-tls1_2", shown: "a stranger's certificate", client: clientOf(stranger) },
  ]),
)(
  "a picker of OpenSSL ($version) that is shown $shown over $protocol says so, and is not asked again",
  async ({ protocol, version, client }) => {
    const port = await serveWithOpenSsl(version);
    const outcome = await transports[protocol].pickPods({
      target: { host, port, dial: { address: host, port }, tls: true, path: "/" },
      headers: [],
      question: { requested: 1, candidates: Array.from({ length: 5000 }, (_, index) => `pod-${index}`) },
      trust: { ca: authority.certificate, ...(client !== undefined && { client }) },
      leftMs: 30_000,
      signal: new AbortController().signal,
    });
    expect(outcome).toEqual({ kind: "failed", class: "ClientCertificateRejected", isTransient: false });
  },
);
