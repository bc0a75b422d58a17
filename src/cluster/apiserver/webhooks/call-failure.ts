import { messageOf } from "../../../api/message-of.ts";
import type { WebhookTarget } from "./webhook-target.ts";

/** Limits the bytes of a webhook's response, like those of a request body. */
export const maxResponseBytes: number = 3 * 1024 * 1024;

const certificateProblems: ReadonlyMap<string, string> = new Map([
  ["CERT_HAS_EXPIRED", "x509: certificate has expired or is not yet valid"],
  ["CERT_NOT_YET_VALID", "x509: certificate has expired or is not yet valid"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "x509: certificate signed by unknown authority"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "x509: certificate signed by unknown authority"],
  ["UNABLE_TO_GET_ISSUER_CERT", "x509: certificate signed by unknown authority"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "x509: certificate signed by unknown authority"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "x509: certificate signed by unknown authority"],
  ["CERT_SIGNATURE_FAILURE", "x509: certificate signed by unknown authority"],
]);

/** Returns why a call failed, in the words of kube-apiserver where it has some. */
export function callFailure(error: unknown, { serverName, dial }: WebhookTarget): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const certificate = certificateProblems.get(code);
  if (certificate !== undefined) return `tls: failed to verify certificate: ${certificate}`;
  const at = `${dial.address.includes(":") ? `[${dial.address}]` : dial.address}:${dial.port}`;
  switch (code) {
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `tls: failed to verify certificate: x509: certificate is not valid for ${serverName || dial.address}`;
    case "ECONNREFUSED":
      return `dial tcp ${at}: connect: connection refused`;
    case "ECONNRESET":
    case "UND_ERR_SOCKET":
      return "EOF";
    case "UND_ERR_RES_EXCEEDED_MAX_SIZE":
      return `the response is larger than ${maxResponseBytes} bytes`;
    case "UND_ERR_HEADERS_OVERFLOW":
      return "the headers of the response are too large";
    default:
      return messageOf(error);
  }
}
