import type { ClusterView, ObjectLookups } from "../../decisions/placement/view/cluster-view.ts";
import type { NodeCache } from "./node-cache.ts";

/** The view of the nodes in a cache, which changes with them. */
export function liveViewOf(nodes: NodeCache, lookups: ObjectLookups): ClusterView {
  const { columns } = nodes;
  const view: ClusterView = {
    ...lookups,
    get nodes() {
      return nodes.list();
    },
    columns,
    nodesWithImage: (name) => columns.nodesWithImage(name),
    // The columns themselves change for the time of a dry run: to copy them would take longer than most decisions.
    dryRun: (node, change, ask) =>
      columns.dryRun(node, change, () =>
        ask({
          cluster: view,
          node,
          addPod: (pod) => columns.addPod(node, pod),
          removePod: (pod) => void columns.removePod(node, pod),
        }),
      ),
  };
  return view;
}
