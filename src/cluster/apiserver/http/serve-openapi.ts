import type { Exchange } from "./http-dependencies.ts";
import { sendInSlices, sendText } from "./response/send-response.ts";

const v3 = "/openapi/v3";
const v2Protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/** Serves the OpenAPI documents; `false` for any other path. */
export async function serveOpenApi(exchange: Exchange, path: string): Promise<boolean> {
  const { deps } = exchange;
  if (path === "/openapi/v2") return serveSwagger(exchange);
  if (path === v3) {
    const { body, hash } = await deps.openApi.index(deps.gates());
    return sendDocument(exchange, body, { ETag: `"${hash}"`, "Cache-Control": "no-cache, private" });
  }
  return path.startsWith(`${v3}/`) && serveGroupVersion(exchange, path.slice(v3.length + 1));
}

/** Serves version 2 as JSON, or in the protobuf form that kubectl asks for. */
async function serveSwagger(exchange: Exchange): Promise<true> {
  const { request, deps } = exchange;
  if (request.headers.accept?.includes("proto-openapi.spec.v2") === true) {
    await sendInSlices(exchange, await deps.openApi.swaggerProtobuf(deps.gates()), { type: v2Protobuf });
    return true;
  }
  const { body, hash } = await deps.openApi.swagger(deps.gates());
  return sendDocument(exchange, body, { ETag: `"${hash}"` });
}

async function serveGroupVersion(exchange: Exchange, groupVersion: string): Promise<boolean> {
  const { deps, response, url } = exchange;
  const document = deps.openApi.document(groupVersion, deps.gates());
  if (document === undefined) return false;
  const { body, hash } = document;
  const wanted = url.searchParams.get("hash");
  if (wanted === null) return sendDocument(exchange, body, { ETag: `"${hash}"` });
  if (wanted === hash)
    return sendDocument(exchange, body, {
      ETag: `"${hash}"`,
      "Cache-Control": "public, max-age=31536000, immutable",
    });
  sendText(response, "", { code: 301, headers: { Location: `${v3}/${groupVersion}?hash=${hash}` } });
  return true;
}

async function sendDocument(
  exchange: Exchange,
  body: string | Uint8Array,
  headers: Readonly<Record<"ETag", string>> & Readonly<Record<string, string>>,
): Promise<true> {
  const isKnown = exchange.request.headers["if-none-match"] === headers.ETag;
  await sendInSlices(exchange, isKnown ? new Uint8Array() : bytesOf(body), {
    code: isKnown ? 304 : 200,
    headers: { ...headers, Vary: "Accept" },
  });
  return true;
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === "string" ? Buffer.from(body) : body;
}
