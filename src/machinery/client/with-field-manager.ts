import type { Client } from "./client.ts";

/** A client whose writes name their field manager, unless they name another one. */
export function withFieldManager(client: Client, fieldManager: string): Client {
  return {
    get: (resource, name, signal) => client.get(resource, name, signal),
    list: (resource, query, signal) => client.list(resource, query, signal),
    watch: (resource, query, signal) => client.watch(resource, query, signal),
    create: (resource, object, options) => client.create(resource, object, { fieldManager, ...options }),
    update: (resource, object, options) => client.update(resource, object, { fieldManager, ...options }),
    patch: (resource, name, patch) => client.patch(resource, name, { fieldManager, ...patch }),
    delete: (resource, name, options) => client.delete(resource, name, options),
    deleteCollection: (resource, query, options) => client.deleteCollection(resource, query, options),
    bind: (pod, binding, signal) => client.bind(pod, binding, signal),
    evict: (pod, options) => client.evict(pod, options),
  };
}
