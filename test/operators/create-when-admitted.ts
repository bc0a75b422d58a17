import type { Draft, StoredObject } from "../../src/api/object.ts";
import type { Resource } from "../../src/api/resource.ts";
import { ApiError } from "../../src/machinery/client/api-error.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { eventually } from "../real-cluster/eventually.ts";

/** Creates an object as soon as the operator's webhooks answer, which it starts after its certificates. */
export function createWhenAdmitted<T extends StoredObject>(
  client: Client,
  resource: Resource<T>,
  object: Draft<T>,
): Promise<T> {
  return eventually(`the webhooks of ${resource.kind} answer`, () =>
    client.create(resource, object).catch((error: unknown) => {
      if (error instanceof ApiError && error.message.includes("failed calling webhook")) return undefined;
      throw error;
    }),
  );
}
