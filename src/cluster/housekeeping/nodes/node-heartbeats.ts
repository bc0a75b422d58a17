import type { Lease } from "../../../api/generated/coordination-v1.ts";
import type { Node } from "../../../api/generated/core-v1.ts";
import type { Instant } from "../../../api/time.ts";
import { isUnreachable } from "../../kubelet/behaviour/node-behaviour.ts";
import { isSimulated } from "../../kubelet/nodes/simulated-node.ts";

/** How long a kubelet may be silent before the state of its node is unknown. */
// upstream: nodeMonitorGracePeriod
const gracePeriodMs = 50_000;

/**
 * Tracks when the kubelets of nodes last reported, by the clock of this component, because the clocks of nodes may
 * differ. The Leases of simulated nodes are virtual, and count as renewed while their kubelet can be reached. Nodes
 * without a Lease are not monitored.
 */
export class NodeHeartbeats {
  readonly #heard = new Map<string, { readonly sign: string; readonly at: Instant }>();

  /**
   * Returns when the silence of a node will have lasted too long; `undefined` for a node that reports, or is not
   * monitored.
   */
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

/** Returns a value that changes with every report of a kubelet; `undefined` for a node that need not be watched. */
function signOf(node: Node, lease: Lease | undefined): string | undefined {
  if (isSimulated(node)) return isUnreachable(node) ? "unreachable" : undefined;
  return lease?.spec?.renewTime;
}
