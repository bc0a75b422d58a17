import type { Pod } from "../../api/generated/core-v1.ts";
import type { Informer } from "../../machinery/informer/informer.ts";

// Informers are shared, and so are their indexes: the name says what is indexed.
const byNode = "node";

/** Indexes Pods by their node. */
export function indexByNode(pods: Informer<Pod>): void {
  pods.addIndex(byNode, ({ spec }) => (spec.nodeName === undefined ? [] : [spec.nodeName]));
}

/** Returns the Pods on a node, as the informer knows them. */
export function podsOnNode(pods: Informer<Pod>, node: string): readonly Pod[] {
  return pods.byIndex(byNode, node);
}
