import { buildConnector, Client as HttpClient } from "undici";
import { parseIp } from "../../api/ip-address.ts";
import { failureOfError } from "../transport/http-response.ts";
import type { SourceFailure } from "./sources/source.ts";

/** How TLS is made; PEM texts. */
export interface RequestTls {
  readonly ca?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  readonly serverName?: string | undefined;
  readonly isUnverified?: boolean | undefined;
}

export interface BoundedRequest {
  readonly url: URL;
  /** The address to connect to: checked, and not resolved again. */
  readonly dial: { readonly address: string; readonly port: number };
  readonly tls?: RequestTls | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: a GET. */
  readonly body?: string | undefined;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export type BoundedAnswer =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly failure: SourceFailure };

/** Reads an answer of at most so many bytes, on a connection of its own, without redirects; never rejects. */
export async function requestText(request: BoundedRequest): Promise<BoundedAnswer> {
  const { url, signal, maxBytes } = request;
  if (signal.aborted) return failed({ class: "Timeout" });
  const client = new HttpClient(url.origin, {
    connect: connectorTo(request),
    // The caller limits the time, with the injected clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: maxBytes,
  });
  try {
    return await exchange(client, request);
  } catch (error) {
    // Converts the exceptions of undici.
    return failed(signal.aborted ? { class: "Timeout" } : failureOf(error));
  } finally {
    client.destroy().catch(() => undefined); // the answer is known
  }
}

function failed(failure: SourceFailure): BoundedAnswer {
  return { ok: false, failure };
}

function failureOf(error: unknown): SourceFailure {
  const known = failureOfError(error).class;
  if (known === "TooLarge" || known === "CertificateRejected") return { class: known };
  if (known === "ClientCertificateRejected") return { class: "Refused", detail: "the client certificate" };
  return { class: "ConnectionFailed" };
}

function connectorTo({ url, dial, tls = {} }: BoundedRequest): buildConnector.connector {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const connect = buildConnector({
    timeout: 30_000, // the longest that a source may take: an abandoned attempt ends by then
    minVersion: "TLSv1.2",
    rejectUnauthorized: tls.isUnverified !== true,
    ...(tls.ca !== undefined && { ca: tls.ca }),
    ...(tls.certificate !== undefined && { cert: tls.certificate, key: tls.key }),
  });
  const servername = tls.serverName ?? (parseIp(host) === undefined ? host : "");
  return (options, callback) =>
    connect({ ...options, hostname: dial.address, port: String(dial.port), servername }, (...made) => {
      made[1]?.on("error", () => undefined); // undici says that the connection broke
      callback(...made);
    });
}

async function exchange(client: HttpClient, request: BoundedRequest): Promise<BoundedAnswer> {
  const { url, headers, body, maxBytes, signal } = request;
  const response = await client.request({
    method: body === undefined ? "GET" : "POST",
    path: `${url.pathname}${url.search}`,
    headers: { "accept-encoding": "identity", "user-agent": "trimtab-picker", ...headers },
    ...(body !== undefined && { body }),
    signal,
  });
  response.body.on("error", () => undefined); // an error event without a listener would end the process
  const { statusCode } = response;
  if (statusCode >= 300 && statusCode < 400)
    return failed({ class: "Redirected", detail: `HTTP ${statusCode}` });
  if (statusCode !== 200) return failed({ class: "Refused", detail: `HTTP ${statusCode}` });
  if (Number(response.headers["content-length"]) > maxBytes) return failed({ class: "TooLarge" });
  const encoding = response.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity")
    return failed({ class: "Malformed", detail: "compressed" });
  return { ok: true, text: await response.body.text() };
}
