import type { Node } from "../../../api/generated/core-v1.ts";
import { nodes as nodeResource } from "../../../api/resources.ts";
import { isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import { type ControllerSpec, done, watching } from "../../../machinery/controller.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";
import { taintsByCondition } from "./node-taints.ts";

export interface NodeLifecycleDependencies {
  readonly client: Client;
  readonly nodes: Informer<Node>;
}

/** Keeps the NoSchedule taints of nodes in line with their conditions, so that Pods go to nodes that are ready. */
export function nodeLifecycleController({ client, nodes }: NodeLifecycleDependencies): ControllerSpec {
  return {
    name: "node-lifecycle",
    workers: 1,
    watches: [
      watching(nodes, (queue) => ({
        added: ({ metadata }) => queue.add(metadata.name),
        updated: (_old, { metadata }) => queue.add(metadata.name),
      })),
    ],
    ignores: isNotFound,

    async reconcile(name, signal) {
      const node = nodes.get(name);
      const taints = node === undefined ? undefined : taintsByCondition(node);
      if (node !== undefined && taints !== undefined)
        await client.update(nodeResource, { ...node, spec: { ...node.spec, taints } }, { signal });
      return done;
    },
  };
}
