import type { PodPickerHeader } from "../api/generated/apps-v1.ts";
import type { Secret, SecretKeySelector } from "../api/generated/core-v1.ts";
import { validateHeaderValue } from "../api/kinds/downscale-pod-picker/picker-headers.ts";
import { secrets } from "../api/resources.ts";
import { ApiError, isNotFound } from "../machinery/client/api-error.ts";
import type { Client } from "../machinery/client/client.ts";
import { permanentFailure, transientFailure, type PickerFailure } from "./picker-failure.ts";
import type { Headers } from "./transport.ts";

export interface HeaderSource {
  readonly client: Client;
  /** Secrets are read from this namespace only. */
  readonly namespace: string;
  readonly signal: AbortSignal;
}

export type ReadHeaders = { readonly kind: "headers"; readonly headers: Headers } | PickerFailure;

/** Resolves a picker's headers. Each Secret is read once, for this call, and not cached. */
export async function readHeaders(
  specs: readonly PodPickerHeader[],
  source: HeaderSource,
): Promise<ReadHeaders> {
  const names = new Set(specs.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []));
  const read = await Promise.all(
    [...names].map(async (name) => [name, await readSecret(name, source)] as const),
  );
  const found = new Map(read);
  const headers: [string, string][] = [];
  for (const header of specs) {
    const value = valueOf(header, found);
    if (typeof value !== "string" && value !== undefined) return value;
    if (value !== undefined) headers.push([header.name, value]);
  }
  return { kind: "headers", headers };
}

type ReadSecret = { readonly kind: "secret"; readonly secret: Secret | undefined } | PickerFailure;

async function readSecret(name: string, { client, namespace, signal }: HeaderSource): Promise<ReadSecret> {
  try {
    return { kind: "secret", secret: await client.get(secrets, { namespace, name }, signal) };
  } catch (error) {
    if (isNotFound(error)) return { kind: "secret", secret: undefined };
    const isForbidden = error instanceof ApiError && (error.code === 401 || error.code === 403);
    return isForbidden ? permanentFailure("SecretForbidden") : transientFailure("SecretUnavailable");
  }
}

/** A header's value; `undefined` for an optional one that does not exist. */
function valueOf(
  { value = "", valueFrom }: PodPickerHeader,
  found: ReadonlyMap<string, ReadSecret>,
): string | undefined | PickerFailure {
  const reference = valueFrom?.secretKeyRef;
  if (reference === undefined) return value;
  const read = found.get(reference.name ?? "");
  if (read?.kind === "failed") return read;
  const data = dataOf(read?.secret, reference.key);
  return data === undefined ? whenMissing(reference) : (textOf(data) ?? permanentFailure("InvalidHeader"));
}

function whenMissing({ optional }: SecretKeySelector): PickerFailure | undefined {
  return optional === true ? undefined : permanentFailure("SecretMissing");
}

function dataOf(secret: Secret | undefined, key: string): string | undefined {
  return new Map(Object.entries(secret?.data ?? {})).get(key);
}

/** Decodes a Secret's value; `undefined` if it is not a valid header value. Nothing is trimmed: that would change the secret. */
function textOf(base64: string): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(base64, "base64"),
    );
    return validateHeaderValue(text, "").length === 0 ? text : undefined;
  } catch {
    return undefined;
  }
}
