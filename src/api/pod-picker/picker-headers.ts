import { forbidden, invalid, required, tooLong, tooMany } from "../field-error.ts";
import type { PodPickerHeader, PodPickerHeaderSource } from "../generated/apps-v1.ts";
import { dns1123SubdomainProblems } from "../names.ts";
import { each, type FieldErrors, none, requiredText } from "../field-checks.ts";
import type { Sent } from "../sent.ts";
import { byteLength, dataKeyProblems, headerNameProblems } from "../value-syntax.ts";

const maxHeaders = 32;
const longestValue = 8 * 1024;

/** Headers that the HTTP client sets; users who edit workloads may not. */
const transportHeaders: ReadonlySet<string> = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Validates the headers (gRPC: metadata) of requests to a picker. */
export function validatePickerHeaders(
  headers: readonly Sent<PodPickerHeader>[] | undefined,
  path: string,
  protocol: "http" | "grpc",
): FieldErrors {
  const count = headers?.length ?? 0;
  return [
    ...(count > maxHeaders ? [tooMany(path, count, maxHeaders)] : none),
    ...each(headers, path, ({ name, value = "", valueFrom }, at) => [
      ...validateName(name, `${at}.name`, protocol),
      ...validateHeaderValue(value, `${at}.value`),
      ...(valueFrom === undefined ? none : validateSource(valueFrom, value, `${at}.valueFrom`)),
    ]),
  ];
}

function validateName(name: string | undefined, path: string, protocol: "http" | "grpc"): FieldErrors {
  const errors = requiredText(name, path, headerNameProblems);
  if (name === undefined || errors.length > 0) return errors;
  return isReserved(name.toLowerCase(), protocol)
    ? [forbidden(path, "may not be set for a pod picker")]
    : none;
}

function isReserved(name: string, protocol: "http" | "grpc"): boolean {
  if (transportHeaders.has(name) || name.startsWith("proxy-")) return true;
  return protocol === "grpc" && (name.startsWith("grpc-") || name.endsWith("-bin"));
}

/** Validates the value of a header, given in the workload or read from a Secret. */
export function validateHeaderValue(value: string, path: string): FieldErrors {
  if (byteLength(value) > longestValue) return [tooLong(path, longestValue)];
  const hasControls = /[^\P{Cc}\t]/u.test(value);
  return hasControls ? [invalid(path, value, "must not contain control characters")] : none;
}

function validateSource(
  { secretKeyRef }: Sent<PodPickerHeaderSource>,
  value: string,
  path: string,
): FieldErrors {
  const clash = value === "" ? none : [invalid(path, "", "may not be specified when value is not empty")];
  if (secretKeyRef === undefined) return [...clash, required(`${path}.secretKeyRef`)];
  const { name = "", key } = secretKeyRef;
  return [
    ...clash,
    ...dns1123SubdomainProblems(name).map((problem) => invalid(`${path}.secretKeyRef.name`, name, problem)),
    ...requiredText(key, `${path}.secretKeyRef.key`, dataKeyProblems),
  ];
}
