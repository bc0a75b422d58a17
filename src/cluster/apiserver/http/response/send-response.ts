import type { ServerResponse } from "node:http";
import { stringify } from "yaml";
import { ApiError } from "../../../../machinery/client/api-error.ts";
import { internalError } from "../../status-errors.ts";
import type { HttpDependencies } from "../http-dependencies.ts";

/** What goes with the body of an answer. */
export interface ResponseOptions {
  readonly code?: number;
  readonly type?: string;
  readonly warnings?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends an answer in one piece. */
export function sendBytes(response: ServerResponse, bytes: Uint8Array, sending: ResponseOptions = {}): void {
  writeResponseHead(response, sending);
  response.setHeader("Content-Length", bytes.byteLength);
  response.end(bytes);
}

/** Sends a text in one piece. */
export function sendText(response: ServerResponse, text: string, sending: ResponseOptions = {}): void {
  sendBytes(response, Buffer.from(text), sending);
}

/** Sends a value as JSON, or as YAML to those who asked for that. */
export function sendValue(
  response: ServerResponse,
  value: unknown,
  { as = "json", ...sending }: ResponseOptions & { readonly as?: string } = {},
): void {
  if (as === "yaml") sendText(response, stringify(value), { ...sending, type: "application/yaml" });
  else sendText(response, JSON.stringify(value), sending);
}

/** Everything of an answer but its body. */
export function writeResponseHead(
  response: ServerResponse,
  { code = 200, type = "application/json", warnings = [], headers = {} }: ResponseOptions,
): void {
  response.statusCode = code;
  response.setHeader("Content-Type", type);
  if (warnings.length > 0) response.setHeader("Warning", warningHeaders(warnings));
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** Answers with what went wrong; what is nobody's fault but ours is logged and not shown. */
export function sendError(deps: HttpDependencies, response: ServerResponse, error: unknown): void {
  if (response.destroyed) return;
  if (response.headersSent) {
    // Half an answer is out: only breaking off tells the client that it is not whole.
    response.destroy();
    return;
  }
  const { status, code } = error instanceof ApiError ? error : unexpected(deps, error);
  const retryAfter = status.details?.retryAfterSeconds;
  if (isCutShort(response, code)) response.setHeader("Connection", "close");
  sendValue(response, status, {
    code,
    ...(retryAfter !== undefined && retryAfter > 0 && { headers: { "Retry-After": String(retryAfter) } }),
  });
}

/** Whether there is more of the request than anyone will read. */
function isCutShort({ req }: ServerResponse, code: number): boolean {
  return code === 413 || (code === 504 && !req.complete);
}

function unexpected(deps: HttpDependencies, error: unknown): ApiError {
  deps.log.error("a request failed unexpectedly", { error });
  return internalError("the server could not answer this request; its log says why");
}

const longestTotal = 4096;
const longestOne = 256;

/** Warnings as values of the `Warning` header; very many or very long ones are cut, the client should still read the rest. */
function warningHeaders(texts: readonly string[]): readonly string[] {
  const unique = [...new Set(texts)].filter((text) => text !== "");
  const total = unique.reduce((sum, text) => sum + text.length, 0);
  return unique.map((text) => `299 - "${escaped(total > longestTotal ? text.slice(0, longestOne) : text)}"`);
}

/** Header values are bytes: what is beyond ASCII travels as UTF-8. */
function escaped(text: string): string {
  const plain = text.replaceAll(/\p{Cc}/gu, " ").replaceAll(/["\\]/g, String.raw`\$&`);
  return Buffer.from(plain, "utf8").toString("latin1");
}
