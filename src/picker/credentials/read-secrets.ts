import type { Secret } from "../../api/generated/core-v1.ts";
import { secrets } from "../../api/resources.ts";
import { ApiError, isNotFound } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import { permanentFailure, transientFailure, type PickerFailure } from "../picker-failure.ts";

export interface SecretSource {
  readonly client: Client;
  /** Secrets are read from this namespace only. */
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** A Secret, `undefined` if it does not exist, or why it could not be read. */
export type ReadSecret = { readonly kind: "secret"; readonly secret: Secret | undefined } | PickerFailure;

/** By name. */
export type ReadSecrets = ReadonlyMap<string, ReadSecret>;

/** Reads Secrets, each once, for this call. They are not cached: the next call uses what has been rotated. */
export async function readSecrets(names: Iterable<string>, source: SecretSource): Promise<ReadSecrets> {
  const read = [...new Set(names)].map(async (name) => [name, await readSecret(name, source)] as const);
  return new Map(await Promise.all(read));
}

async function readSecret(name: string, { client, namespace, signal }: SecretSource): Promise<ReadSecret> {
  try {
    return { kind: "secret", secret: await client.get(secrets, { namespace, name }, signal) };
  } catch (error) {
    if (isNotFound(error)) return { kind: "secret", secret: undefined };
    const isForbidden = error instanceof ApiError && (error.code === 401 || error.code === 403);
    return isForbidden ? permanentFailure("SecretForbidden") : transientFailure("SecretUnavailable");
  }
}

/** The data of a key, in base64. */
export function dataOf(secret: Secret | undefined, key: string): string | undefined {
  return new Map(Object.entries(secret?.data ?? {})).get(key);
}

/** The failure of a picker that needs a key which does not exist. Says its name and that of the Secret. */
export function missingSecretKey(secret: Secret | undefined, { name, key }: SecretKey): PickerFailure {
  const problem =
    secret === undefined
      ? `Secret "${name}" with key "${key}" does not exist`
      : `Secret "${name}" has no key "${key}"`;
  return permanentFailure("SecretMissing", { problem });
}

interface SecretKey {
  readonly name: string;
  readonly key: string;
}
