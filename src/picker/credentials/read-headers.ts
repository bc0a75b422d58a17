import { base64Bytes } from "../../api/base64.ts";
import type { PodPickerHeader } from "../../api/generated/apps-v1.ts";
import type { Secret, SecretKeySelector } from "../../api/generated/core-v1.ts";
import { validateHeaderValue } from "../../api/pod-picker/picker-headers.ts";
import { permanentFailure, type PickerFailure } from "../picker-failure.ts";
import { dataOf, missingSecretKey, type ReadSecrets } from "./read-secrets.ts";
import type { Headers } from "../transport/transport.ts";

export type ReadHeaders = { readonly kind: "headers"; readonly headers: Headers } | PickerFailure;

/** The names of the Secrets that headers come from. */
export function secretsOfHeaders(specs: readonly PodPickerHeader[]): readonly string[] {
  return specs.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []);
}

/** The headers of a picker, with the values of Secrets. */
export function readHeaders(specs: readonly PodPickerHeader[], found: ReadSecrets): ReadHeaders {
  const headers: [string, string][] = [];
  for (const header of specs) {
    const value = valueOf(header, found);
    if (typeof value !== "string" && value !== undefined) return value;
    if (value !== undefined) headers.push([header.name, value]);
  }
  return { kind: "headers", headers };
}

/** A header's value; `undefined` for an optional one that does not exist. */
function valueOf(
  { value = "", valueFrom }: PodPickerHeader,
  found: ReadSecrets,
): string | undefined | PickerFailure {
  const reference = valueFrom?.secretKeyRef;
  if (reference === undefined) return value;
  const read = found.get(reference.name ?? "");
  if (read?.kind === "failed") return read;
  const secret = read?.secret;
  const data = dataOf(secret, reference.key);
  if (data === undefined) return whenMissing(reference, secret);
  return textOf(data) ?? permanentFailure("InvalidHeader");
}

function whenMissing(
  { name = "", key, optional }: SecretKeySelector,
  secret: Secret | undefined,
): PickerFailure | undefined {
  return optional === true ? undefined : missingSecretKey(secret, { name, key });
}

/** Decodes a Secret's value; `undefined` if it is not a valid header value. Nothing is trimmed: that would change the secret. */
function textOf(base64: string): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(base64Bytes(base64));
    return validateHeaderValue(text, "").length === 0 ? text : undefined;
  } catch {
    return undefined; // TextDecoder has one error: the bytes are not UTF-8
  }
}
