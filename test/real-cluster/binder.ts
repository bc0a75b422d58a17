import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isBeingDeleted, keyOf } from "../../src/api/object.ts";
import { isConflict, isNotFound } from "../../src/machinery/client/api-error.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { type ControllerSpec, done, watching } from "../../src/machinery/controller.ts";
import type { Informer } from "../../src/machinery/informer/informer.ts";

/** Assigns Pods to nodes in turn, where no scheduler runs. */
export function binder(client: Client, informer: Informer<Pod>, names: readonly string[]): ControllerSpec {
  let next = 0;
  return {
    name: "binder",
    workers: 16,
    watches: [
      watching(informer, (queue) => ({
        added: (pod) => {
          if (pod.spec.nodeName === undefined) queue.add(keyOf(pod));
        },
      })),
    ],
    async reconcile(key) {
      const pod = informer.get(key);
      if (pod === undefined || pod.spec.nodeName !== undefined || isBeingDeleted(pod)) return done;
      const { namespace, name, uid } = pod.metadata;
      const node = names[next++ % names.length] ?? "";
      try {
        await client.bind({ namespace, name }, { uid, target: { kind: "Node", name: node } });
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
      return done;
    },
  };
}
