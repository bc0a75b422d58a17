import type { Namespace } from "../../api/generated/core-v1.ts";
import { deepEqual } from "../../api/deep-equal.ts";
import { type Draft, isBeingDeleted, type StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import { hasCause, isAlreadyExists, isNotFound } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import { type ControllerSpec, done, watching } from "../../machinery/controller.ts";
import type { Informer } from "../../machinery/informer/informer.ts";

/** An object that every namespace has. */
export interface ObjectPerNamespace<T extends StoredObject> {
  /** The name of the controller. */
  readonly controller: string;
  readonly resource: Resource<T>;
  readonly name: string;
  /** Everything but metadata; compared with the stored object. */
  readonly content: Omit<Draft<T>, "metadata">;
}

export interface ObjectPerNamespaceDependencies<T extends StoredObject> {
  readonly client: Client;
  readonly namespaces: Informer<Namespace>;
  /** The objects of that resource. */
  readonly objects: Informer<T>;
}

/** Keeps one object with a fixed name and content in every namespace: creates it, and restores it after changes. */
export function objectPerNamespaceController<T extends StoredObject>(
  { controller, resource, name, content }: ObjectPerNamespace<T>,
  { client, namespaces, objects }: ObjectPerNamespaceDependencies<T>,
): ControllerSpec {
  const namespaceOf = ({ metadata }: T) => (metadata.name === name ? metadata.namespace : undefined);
  return {
    name: controller,
    workers: 1,
    watches: [
      watching(namespaces, (queue) => ({ added: ({ metadata }) => queue.add(metadata.name) })),
      watching(objects, (queue) => {
        const enqueue = (object: T) => {
          const namespace = namespaceOf(object);
          if (namespace !== undefined) queue.add(namespace);
        };
        return { updated: (_old, object) => enqueue(object), deleted: enqueue };
      }),
    ],
    ignores: (error) => isNotFound(error) || hasCause(error, "NamespaceTerminating"),

    async reconcile(namespace, signal) {
      const inNamespace = namespaces.get(namespace);
      if (inNamespace === undefined || isBeingDeleted(inNamespace)) return done;
      const stored = objects.get(`${namespace}/${name}`);
      if (stored === undefined) {
        const draft = { ...content, metadata: { name, namespace } } as Draft<T>;
        await client.create(resource, draft, { signal }).catch((error: unknown) => {
          if (!isAlreadyExists(error)) throw error;
        });
      } else if (!hasContent(stored, content)) {
        await client.update(resource, { ...stored, ...content }, { signal });
      }
      return done;
    },
  };
}

function hasContent<T extends StoredObject>(object: T, content: Omit<Draft<T>, "metadata">): boolean {
  return Object.entries(content).every(([member, value]) => deepEqual(Reflect.get(object, member), value));
}
