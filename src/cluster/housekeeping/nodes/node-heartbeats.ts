import type { Lease } from "../../../api/generated/coordination-v1.ts";
import type { Node } from "../../../api/generated/core-v1.ts";
import type { Instant } from "../../../api/time.ts";
import { isUnreachable } from "../../kubelet/behaviour/node-behaviour.ts";
import { isSimulated } from "../../kubelet/nodes/simulated-node.ts";

/** After so long without a sign of its kubelet, a node's state is unknown. */
// upstream: nodeMonitorGracePeriod
const gracePeriodMs = 50_000;

/**
 * When the kubelets of nodes were last heard of, by the clock of this component: those of nodes may differ. The Leases
 * of simulated nodes are virtual, and renewed as long as their kubelet can be reached. Nodes without a Lease are not
 * monitored: nothing has ever promised to report about them.
 */
export class NodeHeartbeats {
  readonly #heard = new Map<string, { readonly sign: string; readonly at: Instant }>();

  /** When a node's silence has lasted too long; `undefined` for one that is not silent, or not monitored. */
  silentTooLongAt(node: Node, lease: Lease | undefined, now: Instant): Instant | undefined {
    const sign = signOf(node, lease);
    const { uid } = node.metadata;
    if (sign === undefined) {
      this.#heard.delete(uid);
      return undefined;
    }
    const known = this.#heard.get(uid);
    const heard = known?.sign === sign ? known : { sign, at: now };
    this.#heard.set(uid, heard);
    return heard.at + gracePeriodMs;
  }

  forget({ metadata }: Node): void {
    this.#heard.delete(metadata.uid);
  }
}

/** What changes with every sign of a kubelet; `undefined` where a kubelet need not be listened to. */
function signOf(node: Node, lease: Lease | undefined): string | undefined {
  if (isSimulated(node)) return isUnreachable(node) ? "unreachable" : undefined;
  return lease?.spec?.renewTime;
}
