import { buildConnector, Client as HttpClient } from "undici";
import { parseIp } from "../../api/ip-address.ts";
import { failureOfError, readHttpResponse } from "./http-response.ts";
import { permanentFailure } from "../picker-failure.ts";
import { isClientCertificateAlert } from "./tls-alert.ts";
import {
  type Attempt,
  type Headers,
  maxAnswerBytes,
  type PickPodsRequest,
  type AttemptResult,
  type PickerTarget,
  type Transport,
  type TransportOptions,
  userAgentOf,
  withoutReservedHeaders,
} from "./transport.ts";

/** Calls pickers over HTTP/1.1: a POST of JSON, without compression, redirects, cookies or proxies. */
export function httpTransport(options: TransportOptions = {}): Transport {
  const userAgent = userAgentOf(options);
  return {
    async pickPods(call) {
      const { target, signal } = call;
      let alert: Error | undefined;
      // A new connection for every attempt: the next one may have another address, and must not share a hanging connection.
      const client = new HttpClient(originOf(target), {
        connect: connectorTo(call, options, (error) => (alert ??= error)),
        // The caller enforces the timeout, with the injected clock.
        headersTimeout: 0,
        bodyTimeout: 0,
        maxResponseSize: maxAnswerBytes,
      });
      try {
        return await exchange(client, call, userAgent);
      } catch (error) {
        // Converts the exceptions of undici.
        return signal.aborted ? permanentFailure("Timeout") : failureOfError(alert ?? error);
      } finally {
        client.destroy().catch(() => undefined); // the outcome of the attempt is known
      }
    },
  };
}

/**
 * Connects to the address that was checked; the host name is not resolved again. With TLS 1.3 a picker refuses a certificate
 * when the connection is made: its alert is an error of the socket, of which undici tells only that the other side closed it.
 */
function connectorTo(
  { target, trust = {} }: Attempt,
  options: TransportOptions,
  onAlert: (error: Error) => void,
): buildConnector.connector {
  const { host, dial } = target;
  const ca = trust.ca ?? (options.ca && [...options.ca]);
  const connect = buildConnector({
    // The longest timeout a picker can have: an abandoned connection attempt ends by then.
    timeout: 30_000,
    minVersion: "TLSv1.2",
    ...(ca !== undefined && { ca }),
    ...(trust.client !== undefined && { cert: trust.client.certificate, key: trust.client.key }),
  });
  const servername = trust.serverName ?? (parseIp(host) === undefined ? host : "");
  return (options, callback) =>
    connect({ ...options, hostname: dial.address, port: String(dial.port), servername }, (...made) => {
      made[1]?.on("error", (error) => {
        if ("code" in error && isClientCertificateAlert(String(error.code))) onAlert(error);
      });
      callback(...made);
    });
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

function fixedHeaders({ host, port }: PickerTarget, userAgent: string): Headers {
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

function originOf({ host, port, tls }: PickerTarget): string {
  return `${tls ? "https" : "http"}://${bracketed(host)}:${port}`;
}

/** undici sends header values as latin1; this makes the bytes on the wire UTF-8. */
function asBytes(value: string): string {
  return Buffer.from(value, "utf8").toString("latin1");
}

function bodyOf({ requested, candidates }: PickPodsRequest): string {
  return JSON.stringify({ number_of_pods_requested: requested, candidate_pods: candidates });
}
