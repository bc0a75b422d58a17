import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { onTestFinished } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import {
  createCertificateAuthority,
  issueCertificate,
} from "../../src/machinery/certificates/certificate.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { systemRandom } from "../../src/machinery/random/system-random.ts";

/** Answers a request that is not one for discovery. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An extension API server on loopback. */
export interface ExtensionServer {
  readonly port: number;
  /** For `spec.caBundle`. */
  readonly caBundle: string;
  /** Believes only clients whose certificate this authority signed, as its ConfigMap says. */
  readonly trust: (authority: string) => void;
  readonly close: () => Promise<void>;
}

/** Starts a server of one group version, whose certificate is for these names; it is closed after the test. */
export async function startExtensionServer(
  resources: JsonObject,
  answer: Answer,
  hosts: readonly string[] = ["extension.default.svc"],
): Promise<ExtensionServer> {
  const now = new WallClock().now();
  const random = systemRandom();
  const authority = createCertificateAuthority(now, random);
  const subject = { commonName: "extension" };
  const pair = issueCertificate(authority, { subject, use: "server", hosts, now, random });
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const socket = request.socket as TLSSocket;
    if (!socket.authorized) response.writeHead(401).end("who are you?");
    else if (/^\/apis\/[^/]+\/[^/]+$/.test(request.url ?? "")) sendJson(response, resources);
    else answer(request, response);
  };
  const server = createServer(
    { cert: pair.certificate, key: pair.key, requestCert: true, rejectUnauthorized: false },
    serve,
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  onTestFinished(close);
  return {
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(authority.certificate).toString("base64"),
    trust: (ca) =>
      server.setSecureContext({ cert: pair.certificate, key: pair.key, ca, minVersion: "TLSv1.2" }),
    close,
  };
}

export function sendJson(response: ServerResponse, value: JsonObject, code = 200): void {
  response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(value));
}
