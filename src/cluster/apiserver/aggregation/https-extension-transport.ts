import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { readableBody } from "./readable-body.ts";
import { Agent, request as httpsRequest, type RequestOptions } from "node:https";
import type { KeyPair } from "../../../machinery/certificates/certificate.ts";
import { callFailure } from "../webhooks/call-failure.ts";
import { resolveTarget, type TargetResolver, type WebhookTarget } from "../webhooks/webhook-target.ts";
import type {
  ExtensionReply,
  ExtensionRequest,
  ExtensionServer,
  ExtensionTransport,
  ExtensionHeaders,
} from "./extension-transport.ts";

/** What requests to extension API servers need. */
export interface HttpsExtensionOptions {
  readonly resolver: TargetResolver;
  /** The certificate by which extension API servers know that a request comes from this server. */
  readonly proxyClient: KeyPair | undefined;
}

/** How many idle connections are kept for each server. */
const maxIdle = 16;

/** Sends requests over HTTPS, to the endpoints that the annotations of Services name. */
export function httpsExtensionTransport({
  resolver,
  proxyClient,
}: HttpsExtensionOptions): ExtensionTransport {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: maxIdle });
  return {
    async send(server, request) {
      const resolved = await resolveTarget({ service: server.service }, resolver, request.signal);
      if (!resolved.ok) return resolved;
      const { target } = resolved;
      const options = { ...connectionTo(target, server, proxyClient), agent };
      const reply = await exchange(options, request, target);
      return reply === "stale" ? onFreshConnection(options, request, target) : reply;
    },
    async close() {
      agent.destroy();
    },
  };
}

/** Connects to the address that was checked; the name is not resolved again. */
function connectionTo(
  { serverName, dial }: WebhookTarget,
  { caBundle = "", insecureSkipTLSVerify }: ExtensionServer,
  proxyClient: KeyPair | undefined,
): RequestOptions {
  const ca = Buffer.from(caBundle, "base64").toString("utf8");
  return {
    host: dial.address,
    port: dial.port,
    servername: serverName,
    minVersion: "TLSv1.2",
    rejectUnauthorized: !insecureSkipTLSVerify,
    ...(ca !== "" && { ca, allowPartialTrustChain: true }),
    ...(proxyClient !== undefined && { cert: proxyClient.certificate, key: proxyClient.key }),
  };
}

async function onFreshConnection(
  options: RequestOptions,
  request: ExtensionRequest,
  target: WebhookTarget,
): Promise<ExtensionReply> {
  const reply = await exchange({ ...options, agent: false }, request, target);
  return reply === "stale" ? { ok: false, why: "EOF" } : reply;
}

/**
 * Sends a request. Returns `stale` when the server had closed a kept connection before it saw the request, which then
 * can be sent again.
 */
function exchange(
  options: RequestOptions,
  { method, path, headers, body, signal }: ExtensionRequest,
  target: WebhookTarget,
): Promise<ExtensionReply | "stale"> {
  return new Promise((resolve) => {
    const sent = httpsRequest({ ...options, method, path, headers: outgoing(headers), signal }, (answer) => {
      answer.on("error", () => undefined); // an error event without a listener would end the process
      resolve(replyOf(answer));
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      const isStale = sent.reusedSocket && error.code === "ECONNRESET" && body === undefined;
      resolve(isStale ? "stale" : { ok: false, why: callFailure(error, target) });
    });
    if (body === undefined) sent.end();
    else
      readableBody(body)
        .on("error", () => sent.destroy())
        .pipe(sent);
  });
}

function outgoing(headers: ExtensionHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : [...value]]),
  );
}

function replyOf(answer: IncomingMessage): ExtensionReply {
  const headers = Object.fromEntries(
    Object.entries(answer.headersDistinct).flatMap(([name, values]) =>
      values === undefined ? [] : [[name, values.length === 1 ? (values[0] ?? "") : values]],
    ),
  );
  return { ok: true, code: answer.statusCode ?? 502, headers, body: answer };
}
