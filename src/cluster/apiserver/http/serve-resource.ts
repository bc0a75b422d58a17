import { isReview } from "../auth/review.ts";
import type { User } from "../auth/user.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { tooManyRequests } from "../status-errors.ts";
import type { Exchange, NegotiatedExchange } from "./http-dependencies.ts";
import { readRequestBody } from "./request/read-request-body.ts";
import { resourceRequest, type ResourceRequestInfo, subresourceKind } from "./request/resource-request.ts";
import { negotiate } from "./response/negotiate.ts";
import { sendList } from "./response/send-list.ts";
import { sendBytes, sendValue } from "./response/send-response.ts";
import { sendWatch } from "./response/send-watch.ts";
import { partialObjectMetadata, tableOf } from "./response/transform-object.ts";

const readingVerbs: ReadonlySet<string> = new Set(["get", "list", "watch"]);

/** Serves a request to a resource: negotiates, reads the body, handles, encodes the response. */
export async function serveResource(
  exchange: Exchange,
  info: ResourceRequestInfo,
  user: User,
): Promise<void> {
  const bodiless = resourceRequest(exchange, info, user);
  const negotiated = {
    ...exchange,
    format: negotiate(exchange.request.headers.accept, { transforms: !isReview(bodiless.resource) }),
  };
  const isRead = readingVerbs.has(bodiless.verb);
  const request = isRead ? bodiless : await withBody(exchange, bodiless);
  const answer = isRead ? await read(exchange, request) : await write(exchange, request);
  await sendResponse(negotiated, request, answer);
}

async function withBody({ request, deps }: Exchange, api: ApiRequest): Promise<ApiRequest> {
  const bytes = await readRequestBody(request, deps.clock);
  if (bytes.length === 0) return api;
  const sent = { form: "bytes", contentType: request.headers["content-type"] ?? "", bytes } as const;
  return api.verb === "patch" ? { ...api, patch: sent } : { ...api, body: sent };
}

async function read({ deps }: Exchange, request: ApiRequest): Promise<ApiResponse> {
  if (request.verb === "watch" && deps.inFlight.watches >= deps.limits.watches)
    throw tooManyRequests("too many watches, please try again later", 1);
  return deps.requestHandler.handle(request);
}

async function write({ deps }: Exchange, request: ApiRequest): Promise<ApiResponse> {
  if (deps.inFlight.writes >= deps.limits.writes)
    throw tooManyRequests("too many requests, please try again later", 1);
  deps.inFlight.writes++;
  try {
    return await deps.requestHandler.handle(request);
  } finally {
    deps.inFlight.writes--;
  }
}

async function sendResponse(
  exchange: NegotiatedExchange,
  request: ApiRequest,
  answer: ApiResponse,
): Promise<void> {
  const { response, format } = exchange;
  const { warnings = [] } = answer;
  switch (answer.kind) {
    case "object":
      sendObject(exchange, request, answer);
      return;
    case "value":
      sendValue(response, transformedValue(exchange, request, answer.value), {
        as: format.as,
        code: answer.code,
        warnings,
      });
      return;
    case "status":
      sendValue(response, answer.status, { as: format.as, code: answer.code, warnings });
      return;
    case "list":
      await sendList(exchange, answer);
      return;
    case "watch":
      await sendWatch(exchange, answer.resource, answer.stream);
  }
}

type ObjectResponse = Extract<ApiResponse, { readonly kind: "object" }>;

function sendObject(exchange: NegotiatedExchange, { resource }: ApiRequest, answer: ObjectResponse): void {
  const { response, format } = exchange;
  const { item, code, warnings = [] } = answer;
  const { object } = item;
  switch (format.as) {
    case "json":
      sendBytes(response, item.bytes(), { code, warnings });
      return;
    case "yaml":
      sendValue(response, object, { as: format.as, code, warnings });
      return;
    case "metadata":
      sendValue(response, partialObjectMetadata(object, format), { code, warnings });
      return;
    case "table": {
      const { resourceVersion } = object.metadata;
      const table = tableOf(exchange, format, { resource, objects: [object], listMeta: { resourceVersion } });
      sendValue(response, table, { code, warnings });
    }
  }
}

/** A Scale can be rendered as a Table like any object. */
function transformedValue(
  exchange: NegotiatedExchange,
  { resource, subresource }: ApiRequest,
  value: object,
): object {
  const { format } = exchange;
  if (format.as !== "table" || subresource === undefined) return value;
  const kind = subresourceKind(resource, subresource);
  return tableOf(exchange, format, { resource: kind, objects: [value as never], listMeta: {} });
}
