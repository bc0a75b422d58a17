import type { ReplicaSet } from "../../../src/api/generated/apps-v1.ts";
import { qualifiedName } from "../../../src/api/resource.ts";
import { replicaSets } from "../../../src/api/resources.ts";
import type { Client } from "../../../src/machinery/client/client.ts";

/** A Deployment controller without one of its guards, to see whether anybody notices. */
export interface Mutation {
  /** How it reads the report of a ReplicaSet. */
  readonly reads?: (replicaSet: ReplicaSet) => ReplicaSet;
}

/** What a mutant reads, and what it should have read. */
export interface Misreading {
  readonly client: Client;
  /** What stands in the store in the place of what was read. */
  readonly original: (replicaSet: ReplicaSet) => ReplicaSet;
}

/** A client behind which ReplicaSets are read as a mutant reads them. */
export function misread(inner: Client, { reads }: Mutation): Misreading {
  if (reads === undefined) return { client: inner, original: (replicaSet) => replicaSet };
  const originals = new WeakMap<object, ReplicaSet>();
  const read = <T>(resource: string, object: T): T => {
    if (resource !== qualifiedName(replicaSets)) return object;
    const wrong = reads(object as unknown as ReplicaSet);
    originals.set(wrong, object as unknown as ReplicaSet);
    return wrong as unknown as T;
  };
  const client: Client = {
    ...inner,
    async list(resource, query, signal) {
      const answer = await inner.list(resource, query, signal);
      return { ...answer, items: answer.items.map((each) => read(qualifiedName(resource), each)) };
    },
    async *watch(resource, query, signal) {
      for await (const event of inner.watch(resource, query, signal)) {
        yield event.type === "BOOKMARK"
          ? event
          : { ...event, object: read(qualifiedName(resource), event.object) };
      }
    },
  };
  return { client, original: (replicaSet) => originals.get(replicaSet) ?? replicaSet };
}
