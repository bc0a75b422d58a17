import { utf8Bytes, utf8Text } from "../../api/bytes.ts";
import type { JsonObject } from "../../api/json.ts";
import { apiVersionOf } from "../../api/resource.ts";
import type { OutgoingRequest } from "../../machinery/client/http/request.ts";
import type { OpenRequest, TransportResponse } from "../../machinery/client/http/transport.ts";
import { adminGroup, type User } from "./auth/user.ts";
import type { ServableApi } from "./create-api.ts";
import { createDiscovery } from "./discovery/discovery.ts";
import { discoveryFormatOf } from "./discovery/discovery-format.ts";
import { publishedResources } from "./handlers/subresources/subresource-handlers.ts";
import { requestInfoOf } from "./http/request/request-info.ts";
import { type RequestTarget, requestTarget } from "./http/request/request-target.ts";
import { resourceRequest, subresourceKind } from "./http/request/resource-request.ts";
import { negotiate, type ResponseFormat } from "./http/response/negotiate.ts";
import { partialObjectMetadata, type TableExchange, tableOf } from "./http/response/transform-object.ts";
import { watchEncoderFor } from "./http/response/watch-encoding.ts";
import { createOpenApi } from "./openapi/openapi.ts";
import type { ApiRequest } from "./request/api-request.ts";
import type { ApiResponse } from "./request/api-response.ts";
import { noSuchPath } from "./status-errors.ts";
import { versionInfo } from "./version-facts.ts";

const user: User = { name: "admin", groups: [adminGroup, "system:authenticated"] };

/** The bytes of a response, as they come. */
type Content = Uint8Array | AsyncIterable<Uint8Array>;

/** What answers to a request are made from. */
interface Asked extends TableExchange {
  readonly request: ApiRequest;
  readonly format: ResponseFormat;
}

/**
 * Sends requests of the administrator to an API in this process, where there is no HTTP: in a browser, for what speaks to
 * API servers by paths, such as kubectl. Health, metrics and what administrators may ask below `/debug/` are not there.
 */
export function openWithoutHttp(api: ServableApi, platform: string): OpenRequest {
  const { context, kinds, aggregator, requestHandler } = api;
  const published = publishedResources(kinds);
  const discovery = createDiscovery({
    resources: published,
    aggregated: () => aggregator.discovered(),
    serverAddress: "localhost",
  });
  const openApi = createOpenApi({
    resources: published,
    extensions: () => aggregator.documents(),
    clock: context.clock,
  });
  const deps = { authorizer: context.authorizer, resources: kinds, now: () => context.clock.now() };

  const document = async (
    { path, accept }: OutgoingRequest,
    { pathname }: RequestTarget,
  ): Promise<Content> => {
    if (pathname === "/version") return json(versionInfo(platform));
    const found = discovery.document(pathname, discoveryFormatOf(accept));
    if (found !== undefined) return utf8Bytes(found.body);
    if (path === "/openapi/v3") return utf8Bytes((await openApi.index(context.gates())).body);
    const prefix = "/openapi/v3/";
    const group = pathname.startsWith(prefix)
      ? openApi.document(pathname.slice(prefix.length), context.gates())
      : undefined;
    if (group === undefined) throw noSuchPath();
    return utf8Bytes(group.body);
  };

  return async (sent, signal) => {
    signal.throwIfAborted();
    const url = requestTarget(sent.path);
    const info = requestInfoOf(url.pathname);
    if (info.to === "non-resource") return responseOf(200, await document(sent, url));
    const head = { deps, url, request: { method: sent.method, headers: { "user-agent": "kubectl" } } };
    const request = { ...withBody(resourceRequest(head, info, user), sent), signal };
    const format = negotiate(sent.accept, { transforms: true });
    const answer = await requestHandler.handle(request);
    const code = "code" in answer ? answer.code : 200;
    return responseOf(code, contentOf(answer, { deps, url, request, format }), answer.warnings);
  };
}

function withBody(
  request: ApiRequest,
  { body, contentType = "application/json" }: OutgoingRequest,
): ApiRequest {
  if (body === undefined) return request;
  const sent = { form: "bytes", contentType, bytes: utf8Bytes(body) } as const;
  return request.verb === "patch" ? { ...request, patch: sent } : { ...request, body: sent };
}

const json = (value: object) => utf8Bytes(JSON.stringify(value));

function contentOf(answer: ApiResponse, asked: Asked): Content {
  const { format, request } = asked;
  switch (answer.kind) {
    case "object": {
      const { object } = answer.item;
      if (format.as === "metadata") return json(partialObjectMetadata(object, format));
      if (format.as !== "table") return answer.item.bytes();
      const { resourceVersion } = object.metadata;
      const { resource } = request;
      return json(tableOf(asked, format, { resource, objects: [object], listMeta: { resourceVersion } }));
    }
    case "value": {
      if (format.as !== "table" || request.subresource === undefined) return json(answer.value);
      const resource = subresourceKind(request.resource, request.subresource);
      return json(tableOf(asked, format, { resource, objects: [answer.value as never], listMeta: {} }));
    }
    case "status":
      return json(answer.status);
    case "text":
      return utf8Bytes(answer.text);
    case "raw":
      return answer.bytes;
    case "text-stream":
      return encoded(answer.texts);
    case "list":
      return json(listOf(answer, asked));
    case "watch":
      return eventsOf(answer, asked);
  }
}

function listOf(
  { resource, items, metadata }: Extract<ApiResponse, { readonly kind: "list" }>,
  asked: Asked,
): object {
  const { format } = asked;
  const objects = items.map(({ object }) => object);
  if (format.as === "table") return tableOf(asked, format, { resource, objects, listMeta: metadata });
  const isWhole = resource.isCustom === true;
  const shown = objects.map((object): JsonObject => {
    if (format.as === "metadata") return partialObjectMetadata(object, format) as unknown as JsonObject;
    if (isWhole) return object;
    const { apiVersion: _apiVersion, kind: _kind, ...untyped } = object;
    return untyped;
  });
  const kind = resource.listKind ?? `${resource.kind}List`;
  return { kind, apiVersion: apiVersionOf(resource), metadata, items: shown };
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield utf8Bytes(text);
}

async function* eventsOf(
  { resource, stream }: Extract<ApiResponse, { readonly kind: "watch" }>,
  { deps, url, format, request: { signal } }: Asked,
): AsyncGenerator<Uint8Array> {
  const encode = watchEncoderFor({ deps, url, format, request: { headers: {} } }, resource);
  const stop = () => stream.end();
  if (signal?.aborted === true) stop(); // while the request was handled
  signal?.addEventListener("abort", stop, { once: true });
  try {
    while (!stream.ended || stream.hasPending) {
      await stream.ready();
      for (const event of stream.take(500)) yield* encode(event);
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    stream.end();
  }
}

function responseOf(code: number, content: Content, warnings: readonly string[] = []): TransportResponse {
  const chunks = content instanceof Uint8Array ? [content] : content;
  const header = warnings.map((text) => `299 - ${JSON.stringify(text)}`).join(", ");
  return {
    code,
    header: (name) => (name === "warning" && header !== "" ? header : undefined),
    body: {
      async *[Symbol.asyncIterator]() {
        yield* chunks;
      },
      async text() {
        let whole = "";
        for await (const chunk of chunks) whole += utf8Text(chunk);
        return whole;
      },
      destroy: () => undefined,
    },
  };
}
