import { type IncomingMessage, request as requestHttp, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { parsePickerAnswer } from "../../decisions/downscale/picker-answer.ts";
import { maxAnswerBytes } from "../transport/transport.ts";
import { type PickerProbe, type ProbeMessage, type ProbeTarget, type Reply, silent } from "./probe.ts";

/** Talks to a picker over HTTP/1.1, a connection for each message; redirects are not followed. */
export function httpProbe(target: ProbeTarget): PickerProbe {
  return {
    protocol: "http",
    nonsense: Buffer.from('{"number_of_pods_requested": 1, "candidate_pods": ['),
    encode: ({ requested, candidates }, extra) =>
      Buffer.from(
        JSON.stringify({
          ...(extra !== undefined && { added_in_a_later_version: { nested: [1, "two", null] } }),
          number_of_pods_requested: requested,
          candidate_pods: candidates,
        }),
      ),
    async send(message, signal) {
      try {
        return await replyOf(await exchange(target, message, signal), message);
      } catch (error) {
        // Converts the exceptions of node:http: there was no response.
        return silent(error, signal);
      }
    },
  };
}

function exchange(
  { host, port, path, tls, headers, workload }: ProbeTarget,
  message: ProbeMessage,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { body, method = "POST", contentType = "application/json", isAnonymous = false } = message;
  const credentials = isAnonymous ? [] : headers;
  const options: RequestOptions = {
    host,
    port,
    path,
    method,
    agent: false,
    signal,
    headers: Object.fromEntries([
      ...(method === "GET"
        ? []
        : [
            ["content-type", contentType],
            ["content-length", String(body.length)],
          ]),
      ["accept", "application/json"],
      ["accept-encoding", "identity"],
      ["user-agent", "trimtab-picker-check"],
      ...workload,
      ...credentials,
    ]) as Record<string, string>,
  };
  return new Promise((resolve, reject) => {
    const request =
      tls === undefined
        ? requestHttp(options, resolve)
        : requestHttps({ ...options, ...tlsOptions(tls, { host, isAnonymous }) }, resolve);
    request.on("error", reject);
    if (message.isCutShort === true)
      request.write(body.subarray(0, body.length / 2), () => request.destroy(new Error("the caller left")));
    else request.end(method === "GET" ? undefined : body);
  });
}

function tlsOptions(
  { ca, certificate, key, serverName }: NonNullable<ProbeTarget["tls"]>,
  { host, isAnonymous }: { readonly host: string; readonly isAnonymous: boolean },
) {
  return {
    servername: serverName ?? (isIP(host) === 0 ? host : ""),
    minVersion: "TLSv1.2",
    ...(ca !== undefined && { ca }),
    ...(!isAnonymous && certificate !== undefined && { cert: certificate, key }),
  } as const;
}

async function replyOf(response: IncomingMessage, { candidates }: ProbeMessage): Promise<Reply> {
  const { statusCode = 0, headers } = response;
  if (statusCode !== 200) {
    response.destroy();
    return { kind: "error", code: `HTTP ${statusCode}`, blames: blameOf(statusCode) };
  }
  const contentType = headers["content-type"];
  const encoding = headers["content-encoding"] ?? "identity";
  const bytes = await readAtMost(response, maxAnswerBytes);
  const answer =
    encoding.toLowerCase() === "identity"
      ? bytes === undefined
        ? malformed("more than 1 MiB")
        : parsePickerAnswer(bytes, candidates)
      : malformed(`it has the content encoding ${encoding}`);
  return { kind: "answer", answer, contentType };
}

function malformed(reason: string) {
  return { kind: "Malformed", reason } as const;
}

/** The body; `undefined` if it has more bytes. */
async function readAtMost(response: IncomingMessage, most: number): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function blameOf(statusCode: number): "caller" | "credentials" | "picker" {
  if (statusCode === 401 || statusCode === 403) return "credentials";
  return statusCode >= 400 && statusCode < 500 ? "caller" : "picker";
}
