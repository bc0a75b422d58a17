import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import {
  type CertificateAuthority,
  createCertificateAuthority,
  issueCertificate,
} from "../../src/machinery/certificates/certificate.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { systemRandom } from "../../src/machinery/random/system-random.ts";

/** An AdmissionReview's request, as far as tests read it. */
export interface ReviewRequest {
  readonly uid: string;
  readonly operation: string;
  readonly subResource?: string;
  readonly name?: string;
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
}

/** The members of a response besides its uid. */
export type Answer = (request: ReviewRequest) => JsonObject;

/** Answers a request by itself, however badly. */
export type RawAnswer = (response: ServerResponse, request: ReviewRequest, from: IncomingMessage) => void;

export interface WebhookServer {
  readonly port: number;
  /** For `clientConfig.caBundle`. */
  readonly caBundle: string;
  /** The server's own certificate, in the same form. */
  readonly ownBundle: string;
  /** The requests that came, newest last. */
  readonly seen: readonly ReviewRequest[];
  readonly connections: () => number;
  /** The configuration of one webhook at a path of this server. */
  readonly webhookAt: (path: string, rest?: JsonObject) => JsonObject;
  readonly close: () => Promise<void>;
}

type Answers = Readonly<Record<string, Answer | { readonly raw: RawAnswer }>>;

/** Starts a webhook server that is closed after the test. */
export async function startWebhookServer(
  answers: Answers,
  hosts?: readonly string[],
): Promise<WebhookServer> {
  const server = await openWebhookServer(answers, hosts);
  onTestFinished(server.close);
  return server;
}

/** Opens an HTTPS server with one webhook a path, which has to be closed. */
export async function openWebhookServer(
  answers: Answers,
  hosts: readonly string[] = ["127.0.0.1", "localhost"],
): Promise<WebhookServer> {
  const now = new WallClock().now();
  const random = systemRandom();
  const authority: CertificateAuthority = createCertificateAuthority(now, random);
  const pair = issueCertificate(authority, {
    subject: { commonName: "webhook" },
    use: "server",
    hosts,
    now,
    random,
  });
  const seen: ReviewRequest[] = [];
  const sockets = new Set<Duplex>();
  let connections = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const review = await readReview(request);
    seen.push(review);
    const answer = answers[new URL(request.url ?? "/", "https://localhost").pathname.slice(1)];
    if (answer === undefined) response.writeHead(404).end();
    else if ("raw" in answer) answer.raw(response, review, request);
    else response.end(reviewText({ uid: review.uid, allowed: true, ...answer(review) }));
  };
  const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    void serve(request, response);
  });
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const port = await listen(server);
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  const caBundle = Buffer.from(authority.certificate).toString("base64");
  return {
    port,
    caBundle,
    ownBundle: Buffer.from(pair.certificate).toString("base64"),
    seen,
    connections: () => connections,
    webhookAt: (path, rest = {}) => ({
      name: `${path}.example.com`,
      clientConfig: { url: `https://127.0.0.1:${port}/${path}`, caBundle },
      rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["configmaps"] }],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      ...rest,
    }),
    close,
  };
}

/** A review with a response, as JSON. */
export function reviewText(response: JsonObject): string {
  return JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response });
}

async function readReview(request: IncomingMessage): Promise<ReviewRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return (JSON.parse(Buffer.concat(chunks).toString()) as { readonly request: ReviewRequest }).request;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
