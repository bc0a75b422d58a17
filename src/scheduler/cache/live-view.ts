import type { NodeInfo } from "../../decisions/placement/objects/node-info.ts";
import type {
  AssumedChange,
  ClusterView,
  DryRun,
  ObjectLookups,
} from "../../decisions/placement/view/cluster-view.ts";
import type { LiveColumns } from "./columns/live-columns.ts";
import type { NodeCache } from "./node-cache.ts";

/**
 * The view of the nodes in a cache, which changes with them. A class gives all live views one shape in V8; an
 * object literal with a getter would have its own each time.
 */
export class LiveView implements ClusterView {
  readonly columns: LiveColumns;
  readonly servicesIn: ObjectLookups["servicesIn"];
  readonly replicationController: ObjectLookups["replicationController"];
  readonly replicaSet: ObjectLookups["replicaSet"];
  readonly statefulSet: ObjectLookups["statefulSet"];
  readonly namespaceLabels: ObjectLookups["namespaceLabels"];
  readonly volumes: ObjectLookups["volumes"];
  readonly nodesWithImage = (name: string): number => this.columns.nodesWithImage(name);
  readonly #nodes: NodeCache;

  constructor(nodes: NodeCache, lookups: ObjectLookups) {
    this.#nodes = nodes;
    this.columns = nodes.columns;
    this.servicesIn = lookups.servicesIn;
    this.replicationController = lookups.replicationController;
    this.replicaSet = lookups.replicaSet;
    this.statefulSet = lookups.statefulSet;
    this.namespaceLabels = lookups.namespaceLabels;
    this.volumes = lookups.volumes;
  }

  get nodes(): readonly NodeInfo[] {
    return this.#nodes.list();
  }

  /** Modifies the columns in place for the duration of the question: copying them would take longer than most decisions. */
  dryRun<T>(node: NodeInfo, change: AssumedChange, ask: (assumed: DryRun) => T): T {
    const { columns } = this;
    return columns.dryRun(node, change, () =>
      ask({
        cluster: this,
        node,
        addPod: (pod) => columns.addPod(node, pod),
        removePod: (pod) => void columns.removePod(node, pod),
      }),
    );
  }
}
