import { messageOf } from "../../api/message-of.ts";
import type { Draft, StoredObject } from "../../api/object.ts";
import { apiVersionOf, type Resource } from "../../api/resource.ts";
import { customResourceDefinitions } from "../../api/resources.ts";
import { isAlreadyExists } from "../../machinery/client/api-error.ts";
import { isTrue } from "../apiserver/custom-resources/definition-conditions.ts";
import { definitionIn, definitionsCollection } from "../apiserver/custom-resources/definition-controller.ts";
import { ClusterOptionsError } from "../cluster-options.ts";
import type { Cluster } from "../start-cluster.ts";
import type { Store } from "../store/store.ts";

type Sent = Draft<StoredObject> & { readonly apiVersion?: string; readonly kind?: string };

/**
 * Creates objects in their order, except those that exist already; objects may be of kinds that earlier ones define.
 * Throws a `ClusterOptionsError` for the first that is refused.
 */
export async function createManifests(
  { client, server, store }: Pick<Cluster, "client" | "server" | "store">,
  manifests: readonly object[],
): Promise<void> {
  for (const [index, manifest] of manifests.entries()) {
    const { apiVersion = "", kind = "", metadata = {} } = manifest as Partial<Sent>;
    const refused = (why: string) => new ClusterOptionsError([`manifests[${index}]: ${why}`]);
    const resource = server.kinds.all.find((each) => each.kind === kind && apiVersionOf(each) === apiVersion);
    if (resource === undefined) throw refused(`there is no kind ${kind} in ${apiVersion}`);
    const place = resource.namespaced ? { namespace: "default", ...metadata } : metadata;
    try {
      await createManifest({ client, store }, resource, { ...manifest, metadata: place });
    } catch (error) {
      if (!isAlreadyExists(error)) throw refused(messageOf(error));
    }
  }
}

/** Creates an object; resolves for a CustomResourceDefinition when its objects can be created. */
export async function createManifest(
  { client, store }: Pick<Cluster, "client" | "store">,
  resource: Resource,
  object: Draft<StoredObject>,
): Promise<void> {
  const { metadata } = await client.create(resource, object);
  if (resource.kind === customResourceDefinitions.kind) await decided(store, metadata.name);
}

/** Resolves when a definition is established, or will not be because another one has its names. */
function decided(store: Store, name: string): Promise<void> {
  const definitions = store.collection(definitionsCollection);
  return new Promise((resolve) => {
    const check = () => {
      const record = definitions.get(name);
      const definition = record && definitionIn(record.object);
      const conditions = definition?.status?.conditions ?? [];
      const isRefused = conditions.some(({ type, status }) => type === "NamesAccepted" && status === "False");
      if (definition !== undefined && !isRefused && !isTrue(definition, "Established")) return;
      stop();
      resolve();
    };
    const stop = definitions.subscribe({ of: "all" }, check);
    check();
  });
}
