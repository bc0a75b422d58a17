import { fileURLToPath } from "node:url";
import { type ChannelOptions, Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { loadSync, type MethodDefinition } from "@grpc/proto-loader";
import { parseIp } from "../api/ip-address.ts";
import { interpretPickerAnswer } from "../decisions/downscale/picker-answer.ts";
import { lasting, passing, type PickerFailure } from "./picker-failure.ts";
import {
  type Call,
  type Headers,
  longestAnswer,
  type Reply,
  type Target,
  type Transport,
  type Trust,
  userAgent,
  withoutOwn,
} from "./transport.ts";

const contract = fileURLToPath(new URL("../../contract/picker.proto", import.meta.url));

/** The one method of the contract, as `contract/picker.proto` describes it. */
export function pickPodsMethod(): MethodDefinition<object, object> {
  const loaded = loadSync(contract, { keepCase: true, arrays: true });
  const service = loaded["trimtab.picker.v1.DownscalePodPicker"];
  const method = service !== undefined && "PickPods" in service ? service["PickPods"] : undefined;
  if (method === undefined || typeof method !== "object" || !("requestSerialize" in method))
    throw new Error("contract/picker.proto has no PickPods");
  return method;
}

/** Asks over gRPC: one unary call, no retries of its own, no service configuration, no proxies. */
export function grpcTransport({ ca }: Trust = {}): Transport {
  let method: MethodDefinition<object, object> | undefined;
  const roots = ca === undefined ? null : Buffer.from(ca.join("\n"));
  return {
    async pick(call) {
      const { target, signal } = call;
      const trust = target.tls ? credentials.createSsl(roots) : credentials.createInsecure();
      const client = new Client(addressOf(target), trust, channelOptions(target));
      try {
        return await exchange(client, (method ??= pickPodsMethod()), call);
      } catch (error) {
        return signal.aborted ? lasting("Timeout") : failureOf(error);
      } finally {
        client.close();
      }
    },
  };
}

/** The address that was checked, in a form that nothing is looked up for. */
function addressOf({ dial: { address, port } }: Target): string {
  return address.includes(":") ? `ipv6:[${address}]:${port}` : `ipv4:${address}:${port}`;
}

function channelOptions({ host, port }: Target): ChannelOptions {
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    "grpc.default_authority": `${name}:${port}`,
    ...(parseIp(host) === undefined && { "grpc.ssl_target_name_override": host }),
    "grpc.max_receive_message_length": longestAnswer,
    "grpc.max_metadata_size": 16 * 1024,
    "grpc.primary_user_agent": userAgent,
    "grpc.enable_retries": 0,
    "grpc.enable_http_proxy": 0,
    "grpc.service_config_disable_resolution": 1,
    "grpc.use_local_subchannel_pool": 1,
  };
}

function exchange(client: Client, method: MethodDefinition<object, object>, call: Call): Promise<Reply> {
  const { question, signal } = call;
  const request = { number_of_pods_requested: question.requested, candidate_pods: question.candidates };
  return new Promise((resolve, reject) => {
    const pending = client.makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadataOf(call.headers, call.leftMs),
      (error, answer) => {
        signal.removeEventListener("abort", cancel);
        if (error !== null) reject(error);
        else resolve({ kind: "answered", answer: interpretPickerAnswer(answer, question.candidates) });
      },
    );
    const cancel = () => pending.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
  });
}

function metadataOf(headers: Headers, leftMs: number): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of withoutOwn(headers)) metadata.add(name.toLowerCase(), value);
  // Said here and not as a deadline, which the library would count by the machine's clock instead of ours.
  metadata.set("grpc-timeout", `${Math.max(1, Math.ceil(leftMs))}m`);
  return metadata;
}

const passingCodes: ReadonlySet<number> = new Set([
  status.UNAVAILABLE,
  status.RESOURCE_EXHAUSTED,
  status.ABORTED,
  status.INTERNAL,
  status.UNKNOWN,
]);

function failureOf(error: unknown): PickerFailure {
  // Metadata that cannot be sent is refused before there is a call.
  if (!isServiceError(error)) return lasting("InvalidHeader");
  const { code, details } = error;
  const name = { code: `gRPC ${status[code]}` };
  if (code === status.DEADLINE_EXCEEDED) return lasting("Timeout", name);
  if (code === status.UNAVAILABLE && isFromChannel(details)) {
    return /certificate|altname|issuer/i.test(details)
      ? lasting("CertificateRejected")
      : passing("ConnectionFailed");
  }
  // The library's own words for a message beyond the limit; a picker that says so itself may be tried again.
  if (code === status.RESOURCE_EXHAUSTED && /larger than max|exceeds maximum/i.test(details))
    return lasting("TooLarge");
  return passingCodes.has(code) ? passing("Refused", name) : lasting("Refused", name);
}

function isFromChannel(details: string): boolean {
  return /^(No connection established|Connection dropped|Name resolution failed)|ECONNRE/.test(details);
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && typeof error.code === "number" && "details" in error;
}
