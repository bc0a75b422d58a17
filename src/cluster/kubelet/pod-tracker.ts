import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { compareResourceVersions } from "../../api/resource-version.ts";
import type { PodStage } from "./lifecycle.ts";
import { podAddress } from "./simulated-node.ts";

/** What the kubelet remembers of a Pod on one of its nodes. */
export interface TrackedPod {
  /** Absent for a Pod not met before. */
  readonly stage: PodStage | undefined;
  readonly podIP: string;
  /** The Pod as the server answered the last status with: the informer may not have come that far. */
  readonly reported: Pod | undefined;
}

/** The kubelet's memory, by the UID of the Pod. */
export class PodTracker {
  readonly #memories = new Map<string, TrackedPod>();
  readonly #addressesGiven = new Map<string, number>();

  /** What is remembered of a Pod; a new one is given an address of its node's network. */
  track(pod: Pod, node: Node): TrackedPod {
    const known = this.#memories.get(pod.metadata.uid);
    if (known !== undefined) return known;
    const podIP = pod.status?.podIP ?? this.#nextAddress(node);
    return this.update(pod, { stage: undefined, podIP, reported: undefined });
  }

  update(pod: Pod, memory: TrackedPod): TrackedPod {
    // The Pod's deletion may have been seen already: nobody would forget it later.
    if (memory.stage?.name === "removed") this.forget(pod);
    else this.#memories.set(pod.metadata.uid, memory);
    return memory;
  }

  forget(pod: Pod): void {
    this.#memories.delete(pod.metadata.uid);
  }

  #nextAddress({ metadata, spec }: Node): string {
    const given = this.#addressesGiven.get(metadata.name) ?? 0;
    this.#addressesGiven.set(metadata.name, given + 1);
    return podAddress(spec.podCIDR, given);
  }
}

/** The later of what was observed and what the server answered last. */
export function latest(observed: Pod, reported: Pod | undefined): Pod {
  if (reported === undefined) return observed;
  const order = compareResourceVersions(observed.metadata.resourceVersion, reported.metadata.resourceVersion);
  return order === undefined || order >= 0 ? observed : reported;
}
