import { joinedBytes, utf8Text } from "../../../api/bytes.ts";
import { messageOf } from "../../../api/message-of.ts";
import { maxResponseBytes } from "../webhooks/call-failure.ts";
import type { AggregatedApi } from "./aggregated-api.ts";
import type { ExtensionReply, ExtensionRequest, ExtensionTransport } from "./extension-transport.ts";
import { userHeaders } from "./proxy-headers.ts";

/** The user of this server's own requests. */
const aggregator = { name: "system:kube-aggregator", groups: ["system:masters"] };

type Answered = Extract<ExtensionReply, { readonly ok: true }>;

type ReadJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

/** Asks an extension API server for a document, as this server's own user; never rejects. */
export function askAsAggregator(
  transport: ExtensionTransport,
  { server }: Pick<AggregatedApi, "server">,
  { path, signal }: Pick<ExtensionRequest, "path" | "signal">,
): Promise<ExtensionReply> {
  const headers = { ...userHeaders(aggregator), Accept: "application/json" };
  return transport.send(server, { method: "GET", path, headers, signal });
}

/** Reads the body of an answer; the value is `undefined` if it is not JSON. */
export async function jsonOf({ body }: Answered): Promise<ReadJson> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxResponseBytes)
        return { ok: false as const, why: `the response is larger than ${maxResponseBytes} bytes` };
    }
    const value: unknown = parsed(utf8Text(joinedBytes(chunks)));
    return { ok: true as const, value };
  } catch (error) {
    return { ok: false as const, why: messageOf(error) }; // the connection was lost
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
