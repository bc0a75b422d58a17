import type { Dispatcher } from "undici";
import { parsePickerAnswer } from "../../decisions/downscale/picker-answer.ts";
import { permanentFailure, type PickerFailure, transientFailure } from "../picker-failure.ts";
import { isClientCertificateAlert } from "./tls-alert.ts";
import { type AttemptResult, maxAnswerBytes } from "./transport.ts";

/** Reads a picker's response; rejects if the connection breaks meanwhile, or if the body exceeds the client's limit. */
export async function readHttpResponse(
  response: Dispatcher.ResponseData,
  candidates: Iterable<string>,
): Promise<AttemptResult> {
  response.body.on("error", () => undefined); // an error event without a listener would end the process
  const failure = failureInHeaders(response);
  if (failure !== undefined) return failure;
  const bytes = new Uint8Array(await response.body.arrayBuffer());
  return { kind: "answered", answer: parsePickerAnswer(bytes, candidates) };
}

const transientStatusCodes: ReadonlySet<number> = new Set([408, 425, 429]);

function failureInHeaders({ statusCode, headers }: Dispatcher.ResponseData): PickerFailure | undefined {
  if (statusCode !== 200) return failureOfStatus(statusCode, headerOf(headers, "retry-after"));
  const encoding = headerOf(headers, "content-encoding").toLowerCase();
  if (encoding !== "" && encoding !== "identity") return transientFailure("Malformed");
  return Number(headerOf(headers, "content-length")) > maxAnswerBytes
    ? permanentFailure("TooLarge")
    : undefined;
}

function failureOfStatus(statusCode: number, retryAfter: string): PickerFailure {
  const code = `HTTP ${statusCode}`;
  if (statusCode >= 300 && statusCode < 400) return permanentFailure("Redirected", { code });
  if (statusCode < 500 && !transientStatusCodes.has(statusCode)) return permanentFailure("Refused", { code });
  return transientFailure("Refused", { code, ...parseRetryAfter(retryAfter) });
}

function headerOf(headers: Dispatcher.ResponseData["headers"], name: string): string {
  return [headers[name] ?? []].flat().join(", ");
}

function parseRetryAfter(seconds: string): { readonly retryAfterMs?: number } {
  return /^\d{1,6}$/.test(seconds) ? { retryAfterMs: Number(seconds) * 1000 } : {};
}

/** The failure of a request that undici rejected. */
export function failureOfError(error: unknown): PickerFailure {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "UND_ERR_RES_EXCEEDED_MAX_SIZE":
    case "UND_ERR_HEADERS_OVERFLOW":
      return permanentFailure("TooLarge");
    case "UND_ERR_SOCKET":
      // undici reports 101 Switching Protocols as this error.
      return isMessage(error, "bad upgrade")
        ? permanentFailure("Refused", { code: "HTTP 101" })
        : transientFailure("ConnectionFailed");
    case "UND_ERR_INVALID_ARG":
      return permanentFailure("InvalidHeader");
    default:
      return typeof code === "string" ? failureOfTls(code) : transientFailure("ConnectionFailed");
  }
}

function failureOfTls(code: string): PickerFailure {
  if (isClientCertificateAlert(code)) return permanentFailure("ClientCertificateRejected");
  return certificateErrors.has(code)
    ? permanentFailure("CertificateRejected")
    : transientFailure("ConnectionFailed");
}

function isMessage(error: unknown, message: string): boolean {
  return error instanceof Error && error.message === message;
}

/** The codes of Node and OpenSSL for a certificate that fails verification. */
const certificateErrors: ReadonlySet<string> = new Set([
  "CERT_CHAIN_TOO_LONG",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REJECTED",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "HOSTNAME_MISMATCH",
  "INVALID_CA",
  "INVALID_PURPOSE",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);
