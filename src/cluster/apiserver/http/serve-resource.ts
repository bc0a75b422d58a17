import { isReview } from "../auth/review.ts";
import type { User } from "../auth/user.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { tooManyRequests } from "../status-errors.ts";
import type { Exchange, NegotiatedExchange } from "./http-dependencies.ts";
import { BodyReservation } from "./request/body-reservation.ts";
import { readRequestBody } from "./request/read-request-body.ts";
import type { ResourceRequestInfo } from "./request/request-info.ts";
import { resourceRequest, subresourceKind } from "./request/resource-request.ts";
import { negotiate } from "./response/negotiate.ts";
import { otherRequestsHandled } from "./response/other-requests-handled.ts";
import { sendList } from "./response/send-list.ts";
import { addWarnings, sendInSlices, sendText, sendValue } from "./response/send-response.ts";
import { sendTextStream } from "./response/send-text-stream.ts";
import { sendWatch } from "./response/send-watch.ts";
import { partialObjectMetadata, tableOf } from "./response/transform-object.ts";
import { isWebSocketRequest, sendWebSocketWatch } from "./web-socket/send-web-socket-watch.ts";
import { yamlText } from "./response/yaml-text.ts";

const yamlType = "application/yaml";

/** Serves a request to a resource: negotiates, reads the body, handles, encodes the response. */
export async function serveResource(
  exchange: Exchange,
  info: ResourceRequestInfo,
  user: User,
): Promise<void> {
  const bodiless = resourceRequest(exchange, info, user);
  const { deprecationWarning } = bodiless.resource;
  if (deprecationWarning !== undefined) addWarnings(exchange.response, [deprecationWarning]);
  const negotiated = {
    ...exchange,
    format: negotiate(exchange.request.headers.accept, { transforms: !isReview(bodiless.resource) }),
  };
  if (bodiless.verb === "watch") {
    await serveWatch(negotiated, bodiless);
    return;
  }
  const isRead = bodiless.verb === "get" || bodiless.verb === "list";
  const request = isRead ? bodiless : await withBody(exchange, bodiless);
  const answer = isRead ? await read(exchange, request) : await write(exchange, request);
  await otherRequestsHandled(exchange.deps.clock);
  await sendResponse(negotiated, request, answer);
}

/** Serves a watch, which is counted until it ends, also while it waits for a revision. */
async function serveWatch(exchange: NegotiatedExchange, request: ApiRequest): Promise<void> {
  const { deps } = exchange;
  if (deps.inFlight.watches >= deps.limits.watches)
    throw tooManyRequests("too many watches, please try again later", 1);
  deps.inFlight.watches++;
  try {
    await sendResponse(exchange, request, await read(exchange, request));
  } finally {
    deps.inFlight.watches--;
  }
}

async function withBody({ request, response, deps }: Exchange, api: ApiRequest): Promise<ApiRequest> {
  const reservation = new BodyReservation(deps);
  response.on("close", () => reservation.release());
  const bytes = await readRequestBody(request, deps.clock, reservation);
  if (bytes.length === 0) return api;
  const sent = { form: "bytes", contentType: request.headers["content-type"] ?? "", bytes } as const;
  return api.verb === "patch" ? { ...api, patch: sent } : { ...api, body: sent };
}

/** Handles a read; one that waits for a revision ends when the client disconnects. */
async function read({ deps, response }: Exchange, request: ApiRequest): Promise<ApiResponse> {
  const disconnected = new AbortController();
  response.on("close", () => disconnected.abort());
  return deps.requestHandler.handle({ ...request, signal: disconnected.signal });
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
      await sendObject(exchange, request, answer);
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
    case "text":
      sendText(response, answer.text, { type: "text/plain", warnings });
      return;
    case "raw":
      await sendInSlices(exchange, answer.bytes, { code: answer.code, type: answer.contentType });
      return;
    case "text-stream":
      await sendTextStream(exchange, answer.texts);
      return;
    case "list":
      await sendList(exchange, answer);
      return;
    case "watch": {
      const send = isWebSocketRequest(exchange.request) ? sendWebSocketWatch : sendWatch;
      await send(exchange, answer.resource, answer.stream);
    }
  }
}

type ObjectResponse = Extract<ApiResponse, { readonly kind: "object" }>;

async function sendObject(
  exchange: NegotiatedExchange,
  { resource }: ApiRequest,
  { item, code, warnings = [] }: ObjectResponse,
): Promise<void> {
  const { format } = exchange;
  const { object } = item;
  switch (format.as) {
    case "json":
      await sendInSlices(exchange, item.bytes(), { code, warnings });
      return;
    case "yaml":
      await sendInSlices(exchange, Buffer.from(yamlText(object)), { code, warnings, type: yamlType });
      return;
    case "metadata":
      sendValue(exchange.response, partialObjectMetadata(object, format), { code, warnings });
      return;
    case "table": {
      const { resourceVersion } = object.metadata;
      const table = tableOf(exchange, format, { resource, objects: [object], listMeta: { resourceVersion } });
      await sendInSlices(exchange, Buffer.from(JSON.stringify(table)), { code, warnings });
    }
  }
}

/** Returns a value in a transformed format; a Scale can be rendered as a Table like any object. */
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
