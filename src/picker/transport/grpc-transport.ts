import {
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { parseIp } from "../../api/ip-address.ts";
import { encodePickPodsRequest, parsePickPodsResponse, pickPodsPath } from "./grpc-messages.ts";
import { permanentFailure, transientFailure, type PickerFailure } from "../picker-failure.ts";
import {
  type Attempt,
  type Headers,
  maxAnswerBytes,
  type AttemptResult,
  type PickerTarget,
  type Transport,
  type TransportOptions,
  userAgentOf,
  withoutReservedHeaders,
} from "./transport.ts";
import { isClientCertificateAlert } from "./tls-alert.ts";

/** Calls pickers over gRPC: one unary call, without retries, service configuration or proxies of grpc-js. */
export function grpcTransport(options: TransportOptions = {}): Transport {
  const { ca } = options;
  const roots = ca === undefined ? null : Buffer.from(ca.join("\n"));
  return {
    async pickPods(call) {
      const { target, signal } = call;
      const channel = target.tls ? secureChannel(call, roots) : credentials.createInsecure();
      const client = new Client(addressOf(target), channel, channelOptions(call, userAgentOf(options)));
      try {
        return await exchange(client, call);
      } catch (error) {
        // Converts the exceptions of grpc-js.
        return signal.aborted ? permanentFailure("Timeout") : failureOf(error);
      } finally {
        client.close();
      }
    },
  };
}

function secureChannel({ trust = {} }: Attempt, roots: Buffer | null): ChannelCredentials {
  const { ca, client } = trust;
  const authorities = ca === undefined ? roots : Buffer.from(ca);
  return client === undefined
    ? credentials.createSsl(authorities)
    : credentials.createSsl(authorities, Buffer.from(client.key), Buffer.from(client.certificate));
}

/** The address that was checked, in a form that grpc-js does not resolve again. */
function addressOf({ dial: { address, port } }: PickerTarget): string {
  return address.includes(":") ? `ipv6:[${address}]:${port}` : `ipv4:${address}:${port}`;
}

function channelOptions({ target: { host, port }, trust }: Attempt, userAgent: string): ChannelOptions {
  const name = host.includes(":") ? `[${host}]` : host;
  const serverName = trust?.serverName ?? (parseIp(host) === undefined ? host : undefined);
  return {
    "grpc.default_authority": `${name}:${port}`,
    ...(serverName !== undefined && { "grpc.ssl_target_name_override": serverName }),
    "grpc.max_receive_message_length": maxAnswerBytes,
    "grpc.max_metadata_size": 16 * 1024,
    "grpc.primary_user_agent": userAgent,
    "grpc.enable_retries": 0,
    "grpc.enable_http_proxy": 0,
    "grpc.service_config_disable_resolution": 1,
    "grpc.use_local_subchannel_pool": 1,
  };
}

function exchange(client: Client, { question, headers, leftMs, signal }: Attempt): Promise<AttemptResult> {
  return new Promise((resolve, reject) => {
    const pending = client.makeUnaryRequest(
      pickPodsPath,
      encodePickPodsRequest,
      identity,
      question,
      metadataOf(headers, leftMs),
      (error, bytes = Buffer.alloc(0)) => {
        signal.removeEventListener("abort", cancel);
        if (error !== null) reject(error);
        else resolve({ kind: "answered", answer: parsePickPodsResponse(bytes, question.candidates) });
      },
    );
    const cancel = () => pending.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
  });
}

/** Returns the bytes: grpc-js would report any error thrown here as an error of the server. */
function identity(bytes: Buffer): Buffer {
  return bytes;
}

function metadataOf(headers: Headers, leftMs: number): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of withoutReservedHeaders(headers)) metadata.add(name.toLowerCase(), value);
  // Sent as metadata, not as a deadline of grpc-js, which would measure it with the system clock.
  metadata.set("grpc-timeout", `${Math.max(1, Math.ceil(leftMs))}m`);
  return metadata;
}

const transientCodes: ReadonlySet<number> = new Set([
  status.UNAVAILABLE,
  status.RESOURCE_EXHAUSTED,
  status.ABORTED,
  status.INTERNAL,
  status.UNKNOWN,
]);

function failureOf(error: unknown): PickerFailure {
  // grpc-js rejects invalid metadata before the call, with another type of error.
  if (!isServiceError(error)) return permanentFailure("InvalidHeader");
  const { code, details } = error;
  const name = { code: `gRPC ${status[code]}` };
  if (code === status.DEADLINE_EXCEEDED) return permanentFailure("Timeout", name);
  if (code === status.UNAVAILABLE && isFromChannel(details)) {
    if (isClientCertificateAlert(details)) return permanentFailure("ClientCertificateRejected");
    return /certificate|altname|issuer/i.test(details)
      ? permanentFailure("CertificateRejected")
      : transientFailure("ConnectionFailed");
  }
  // The texts of grpc-js for a message beyond the limit; RESOURCE_EXHAUSTED sent by the picker is retried.
  if (code === status.RESOURCE_EXHAUSTED && /larger than max|exceeds maximum/i.test(details))
    return permanentFailure("TooLarge");
  return transientCodes.has(code) ? transientFailure("Refused", name) : permanentFailure("Refused", name);
}

function isFromChannel(details: string): boolean {
  return /^(No connection established|Connection dropped|Name resolution failed)|ECONNRE/.test(details);
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && typeof error.code === "number" && "details" in error;
}
