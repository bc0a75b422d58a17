import { deletionCostAnnotation } from "../../src/api/deletion-cost.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { pods } from "../../src/api/resources.ts";
import { ifFound } from "../../src/machinery/client/api-error.ts";
import type { Client } from "../../src/machinery/client/client.ts";

const sentinel = "karpenter.sh/managed-deletion-cost";
const lastAssigned = "karpenter.sh/last-assigned-deletion-cost";

export interface CostManager {
  /** Gives every Pod the rank of its node. */
  readonly rank: () => Promise<void>;
  /** The Pods that it has given up. */
  readonly lost: ReadonlySet<string>;
}

/**
 * Does what Karpenter's proposed controller does with the costs of Pods, every minute: a rank per node, and it leaves a
 * Pod for good whose cost is not the one that it has written last.
 */
export function costManager(client: Client, activePods: () => Promise<readonly Pod[]>): CostManager {
  const lost = new Set<string>();
  const rank = async () => {
    for (const { metadata, spec } of await activePods()) {
      const { name, annotations: own = {} } = metadata;
      const cost = own[deletionCostAnnotation];
      const isForeign = own[sentinel] === undefined ? cost !== undefined : cost !== own[lastAssigned];
      if (isForeign) lost.add(name);
      if (isForeign || lost.has(name)) continue;
      const wanted = String(-1000 + Number(spec.nodeName?.split("-").at(-1)));
      if (cost === wanted) continue;
      const annotations = { [deletionCostAnnotation]: wanted, [sentinel]: "true", [lastAssigned]: wanted };
      // A Pod may have gone since they were listed.
      await ifFound(client.patch(pods, metadata, { type: "merge", body: { metadata: { annotations } } }));
    }
  };
  return { rank, lost };
}
