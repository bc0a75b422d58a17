import type { ServerResponse } from "node:http";
import { ApiError } from "../../../../machinery/client/api-error.ts";
import { internalError, PageNotFound } from "../../status-errors.ts";
import type { Exchange, HttpDependencies } from "../http-dependencies.ts";
import { ResponseWriter, sliceBytes } from "./response-writer.ts";
import { yamlText } from "./yaml-text.ts";

/** The parts of a response besides its body. */
export interface ResponseOptions {
  readonly code?: number;
  readonly type?: string;
  readonly warnings?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a response in one write. */
export function sendBytes(response: ServerResponse, bytes: Uint8Array, options: ResponseOptions = {}): void {
  writeResponseHead(response, options);
  response.setHeader("Content-Length", bytes.byteLength);
  response.end(bytes);
}

/** Sends a response of any length, a long one in slices, so that a client that reads slowly takes little memory. */
export async function sendInSlices(
  { response, deps }: Exchange,
  bytes: Uint8Array,
  options: ResponseOptions,
): Promise<void> {
  if (bytes.byteLength <= sliceBytes) {
    sendBytes(response, bytes, options);
    return;
  }
  writeResponseHead(response, options);
  response.setHeader("Content-Length", bytes.byteLength);
  const writer = new ResponseWriter(response, deps.clock);
  writer.add(bytes);
  await writer.end();
}

/** Sends a text in one write. */
export function sendText(response: ServerResponse, text: string, options: ResponseOptions = {}): void {
  sendBytes(response, Buffer.from(text), options);
}

/** Sends a value as JSON, or as YAML if that was negotiated. */
export function sendValue(
  response: ServerResponse,
  value: unknown,
  { as = "json", ...options }: ResponseOptions & { readonly as?: string } = {},
): void {
  if (as === "yaml") sendText(response, yamlText(value), { ...options, type: "application/yaml" });
  else sendText(response, JSON.stringify(value), options);
}

/** Sets the status code and headers of a response. */
export function writeResponseHead(
  response: ServerResponse,
  { code = 200, type = "application/json", warnings = [], headers = {} }: ResponseOptions,
): void {
  response.statusCode = code;
  response.setHeader("Content-Type", type);
  addWarnings(response, warnings);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** Adds warnings to those that the response already has. */
export function addWarnings(response: ServerResponse, warnings: readonly string[]): void {
  for (const header of warningHeaders(warnings)) response.appendHeader("Warning", header);
}

/**
 * Sends an error as a Status; an error that is not an `ApiError` is logged, and the client gets a 500 without details.
 */
export function sendError(deps: HttpDependencies, response: ServerResponse, error: unknown): void {
  if (response.destroyed) return;
  if (response.headersSent) {
    // Part of the response is sent already: only closing the connection tells the client that it is incomplete.
    response.destroy();
    return;
  }
  if (error instanceof PageNotFound) {
    sendText(response, "404 page not found\n", { code: 404, type: "text/plain; charset=utf-8" });
    return;
  }
  const { status, code, warnings } = error instanceof ApiError ? error : unexpected(deps, error);
  const retryAfter = status.details?.retryAfterSeconds;
  if (hasUnreadBody(response, code)) response.setHeader("Connection", "close");
  sendValue(response, status, {
    code,
    warnings,
    ...(retryAfter !== undefined && retryAfter > 0 && { headers: { "Retry-After": String(retryAfter) } }),
  });
}

/** Reports whether part of the request body was not read, so that the connection cannot be reused. */
function hasUnreadBody({ req }: ServerResponse, code: number): boolean {
  return code === 413 || ((code === 504 || code === 429) && !req.complete);
}

function unexpected(deps: HttpDependencies, error: unknown): ApiError {
  deps.log.error("request failed unexpectedly", { error });
  return internalError("the server could not answer this request; its log says why");
}

/** Limits the size of all `Warning` headers of a response: clients limit the size of headers, Node's to 16 KiB. */
const maxWarningBytes = 4096;
const maxShortenedLength = 256;
/** The length of the header name and the line end. */
const headerBytes = "Warning: \r\n".length;

/**
 * Returns warnings as values of the `Warning` header, shortened, and without the last ones, beyond the limit (upstream:
 * 4 KiB).
 */
function warningHeaders(texts: readonly string[]): readonly string[] {
  const unique = [...new Set(texts)].filter((text) => text !== "");
  const whole = unique.map(warningHeader);
  if (bytesOf(whole) <= maxWarningBytes) return whole;
  const shown: string[] = [];
  let left = maxWarningBytes;
  for (const text of unique) {
    const header = warningHeader(text.slice(0, maxShortenedLength));
    left -= header.length + headerBytes;
    if (left < 0) return [...shown, warningHeader(`${unique.length - shown.length} more warnings`)];
    shown.push(header);
  }
  return shown;
}

const warningHeader = (text: string) => `299 - "${escaped(text)}"`;

const bytesOf = (headers: readonly string[]) =>
  headers.reduce((sum, { length }) => sum + length + headerBytes, 0);

/** Encodes characters other than ASCII as UTF-8, because header values are bytes. */
function escaped(text: string): string {
  const plain = text.replaceAll(/\p{Cc}/gu, " ").replaceAll(/["\\]/g, String.raw`\$&`);
  return Buffer.from(plain, "utf8").toString("latin1");
}
