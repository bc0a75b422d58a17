import { buildConnector, Client as HttpClient } from "undici";
import { parseIp } from "../api/ip-address.ts";
import { isCertificateError } from "./certificate-errors.ts";
import { readHttpResponse } from "./http-response.ts";
import { permanentFailure, transientFailure, type PickerFailure } from "./picker-failure.ts";
import {
  type Attempt,
  type Headers,
  maxAnswerBytes,
  type PickPodsRequest,
  type AttemptResult,
  type Target,
  type Transport,
  type TransportOptions,
  userAgentOf,
  withoutReservedHeaders,
} from "./transport.ts";

/** Asks over HTTP/1.1: a POST of JSON, its answer as it is, no redirects, no cookies, no proxies. */
export function httpTransport(options: TransportOptions = {}): Transport {
  const userAgent = userAgentOf(options);
  return {
    async pickPods(call) {
      const { target, signal } = call;
      // A connection of its own: the next call may have to go elsewhere, and hang by itself.
      const client = new HttpClient(originOf(target), {
        connect: dialling(target, options),
        // Time limits are the caller's, by its own clock.
        headersTimeout: 0,
        bodyTimeout: 0,
        maxResponseSize: maxAnswerBytes,
      });
      try {
        return await exchange(client, call, userAgent);
      } catch (error) {
        return signal.aborted ? permanentFailure("Timeout") : failureOf(error);
      } finally {
        client.destroy().catch(() => undefined);
      }
    },
  };
}

/** Connects to the address that was checked, whatever the name would lead to by now. */
function dialling({ host, dial }: Target, { ca }: TransportOptions): buildConnector.connector {
  const connect = buildConnector({
    // No picker has longer for everything; a socket that nobody waits for any more is given up by then.
    timeout: 30_000,
    minVersion: "TLSv1.2",
    ...(ca !== undefined && { ca: [...ca] }),
  });
  const servername = parseIp(host) === undefined ? host : "";
  return (options, callback) =>
    connect({ ...options, hostname: dial.address, port: String(dial.port), servername }, callback);
}

async function exchange(client: HttpClient, call: Attempt, userAgent: string): Promise<AttemptResult> {
  const { target, headers, question, signal } = call;
  const response = await client.request({
    method: "POST",
    path: target.path,
    headers: [...fixedHeaders(target, userAgent), ...withoutReservedHeaders(headers)].flatMap(
      ([name, value]) => [name, asBytes(value)],
    ),
    body: bodyOf(question),
    signal,
  });
  return readHttpResponse(response, question.candidates);
}

function fixedHeaders({ host, port }: Target, userAgent: string): Headers {
  return [
    ["host", `${bracketed(host)}:${port}`],
    ["content-type", "application/json"],
    ["accept", "application/json"],
    ["accept-encoding", "identity"],
    ["user-agent", userAgent],
  ];
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

function originOf({ host, port, tls }: Target): string {
  return `${tls ? "https" : "http"}://${bracketed(host)}:${port}`;
}

/** A header's value is bytes: UTF-8, each byte a character. */
function asBytes(value: string): string {
  return Buffer.from(value, "utf8").toString("latin1");
}

function bodyOf({ requested, candidates }: PickPodsRequest): string {
  return JSON.stringify({ number_of_pods_requested: requested, candidate_pods: candidates });
}

function failureOf(error: unknown): PickerFailure {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "UND_ERR_RES_EXCEEDED_MAX_SIZE":
    case "UND_ERR_HEADERS_OVERFLOW":
      return permanentFailure("TooLarge");
    case "UND_ERR_SOCKET":
      // The library's words for a picker that wants to speak something else from now on.
      return isMessage(error, "bad upgrade")
        ? permanentFailure("Refused", { code: "HTTP 101" })
        : transientFailure("ConnectionFailed");
    case "UND_ERR_INVALID_ARG":
      return permanentFailure("InvalidHeader");
    default:
      return isCertificateError(code)
        ? permanentFailure("CertificateRejected")
        : transientFailure("ConnectionFailed");
  }
}

function isMessage(error: unknown, message: string): boolean {
  return error instanceof Error && error.message === message;
}
