import { type ChannelOptions, Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { encodePickPodsRequest, parsePickPodsResponse, pickPodsPath } from "../transport/grpc-messages.ts";
import { maxAnswerBytes } from "../transport/transport.ts";
import { type PickerProbe, type ProbeMessage, type ProbeTarget, type Reply, silent } from "./probe.ts";

/** Talks to a picker over gRPC, a connection for each message. */
export function grpcProbe(target: ProbeTarget): PickerProbe {
  return {
    protocol: "grpc",
    // A list of names whose length is missing.
    nonsense: Buffer.from([0x12, 0x7f, 0x61]),
    encode: (question, extra) =>
      Buffer.concat([
        encodePickPodsRequest(question),
        ...(extra === undefined ? [] : [Buffer.from([0x7a, 3, 0x6e, 0x65, 0x77])]), // field 15
      ]),
    async send(message, signal) {
      let client: Client | undefined;
      try {
        client = new Client(addressOf(target), trustOf(target, message), channelOptions(target));
        const bytes = await exchange(client, { target, message }, signal);
        return { kind: "answer", answer: parsePickPodsResponse(bytes, message.candidates) };
      } catch (error) {
        // Converts the exceptions of grpc-js, which has one for every status but OK.
        return replyOf(error, signal);
      } finally {
        client?.close();
      }
    },
  };
}

function addressOf({ host, port }: ProbeTarget): string {
  return host.includes(":") ? `ipv6:[${host}]:${port}` : `dns:${host}:${port}`;
}

function trustOf({ tls }: ProbeTarget, { isAnonymous = false }: ProbeMessage) {
  if (tls === undefined) return credentials.createInsecure();
  const { ca, certificate, key } = tls;
  const bytesOf = (pem: string | undefined) => (pem === undefined ? null : Buffer.from(pem));
  return isAnonymous
    ? credentials.createSsl(bytesOf(ca))
    : credentials.createSsl(bytesOf(ca), bytesOf(key), bytesOf(certificate));
}

function channelOptions({ tls }: ProbeTarget): ChannelOptions {
  return {
    ...(tls?.serverName !== undefined && { "grpc.ssl_target_name_override": tls.serverName }),
    "grpc.max_receive_message_length": maxAnswerBytes,
    "grpc.primary_user_agent": "trimtab-picker-check",
    "grpc.enable_retries": 0,
    "grpc.enable_http_proxy": 0,
    "grpc.service_config_disable_resolution": 1,
    "grpc.use_local_subchannel_pool": 1,
  };
}

function exchange(
  client: Client,
  { target, message }: { readonly target: ProbeTarget; readonly message: ProbeMessage },
  signal: AbortSignal,
): Promise<Buffer> {
  const metadata = new Metadata();
  const headers = [...target.workload, ...(message.isAnonymous === true ? [] : target.headers)];
  for (const [name, value] of headers) metadata.add(name.toLowerCase(), value);
  const same = (bytes: Buffer) => bytes;
  return new Promise((resolve, reject) => {
    const body = Buffer.from(message.body);
    const call = client.makeUnaryRequest(pickPodsPath, same, same, body, metadata, (error, bytes) => {
      signal.removeEventListener("abort", cancel);
      if (error === null) resolve(bytes ?? Buffer.alloc(0));
      else reject(error);
    });
    const cancel = () => call.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
  });
}

const callersFault: ReadonlySet<number> = new Set([
  status.ABORTED,
  status.ALREADY_EXISTS,
  status.FAILED_PRECONDITION,
  status.INVALID_ARGUMENT,
  status.NOT_FOUND,
  status.OUT_OF_RANGE,
]);
const credentialsFault: ReadonlySet<number> = new Set([status.PERMISSION_DENIED, status.UNAUTHENTICATED]);

function replyOf(error: unknown, signal: AbortSignal): Reply {
  if (signal.aborted || !isServiceError(error)) return silent(error, signal);
  const { code, details } = error;
  // The texts of grpc-js for a connection that there is not, and for a message beyond the limit.
  if (
    code === status.UNAVAILABLE &&
    /^(No connection|Connection dropped|Name resolution)|ECONNRE/.test(details)
  )
    return silent(new Error(details), signal);
  if (code === status.RESOURCE_EXHAUSTED && /larger than max|exceeds maximum/i.test(details))
    return { kind: "answer", answer: { kind: "Malformed", reason: "more than 1 MiB" } };
  const blames = credentialsFault.has(code) ? "credentials" : callersFault.has(code) ? "caller" : "picker";
  return { kind: "error", code: `gRPC ${status[code]}`, blames };
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && typeof error.code === "number" && "details" in error;
}
