import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { compareResourceVersions } from "../../api/resource-version.ts";
import type { PodStage } from "./lifecycle/pod-stage.ts";
import { podAddress } from "./nodes/simulated-network.ts";

/** The state the kubelet keeps of a Pod. */
export interface KubeletPod {
  /** Absent for a Pod that has not been stepped yet. */
  readonly stage: PodStage | undefined;
  readonly podIP: string;
  /** The name of its owner and how many Pods of that owner were seen before: the same in every run, unlike UIDs. */
  readonly identity: string;
  /** The Pod as the server returned it for the last status: the informer may not have read it yet. */
  readonly reported: Pod | undefined;
}

/** The state of all Pods, by UID. */
export class PodTracker {
  readonly #pods = new Map<string, KubeletPod>();
  readonly #assignedAddresses = new Map<string, number>();
  readonly #seenOfOwners = new Map<string, number>();

  /** Returns the state of a Pod; a new Pod gets an address of its node's network. */
  track(pod: Pod, node: Node): KubeletPod {
    const known = this.#pods.get(pod.metadata.uid);
    if (known !== undefined) return known;
    const podIP = pod.status?.podIP ?? this.#nextAddress(node);
    const tracked = { stage: undefined, podIP, identity: this.#nextIdentity(pod), reported: undefined };
    this.#pods.set(pod.metadata.uid, tracked);
    return tracked;
  }

  /**
   * Records a stage, and the Pod as the server returned it; where nothing was written the last answer still counts. A
   * Pod that was forgotten meanwhile is not recorded again, since its deletion is not observed twice.
   */
  update(pod: Pod, stage: PodStage, reported: Pod | undefined): void {
    const { uid } = pod.metadata;
    const known = this.#pods.get(uid);
    if (known === undefined || stage.name === "removed") this.forget(pod);
    else this.#pods.set(uid, { ...known, stage, reported: reported ?? known.reported });
  }

  forget(pod: Pod): void {
    this.#pods.delete(pod.metadata.uid);
  }

  #nextIdentity({ metadata }: Pod): string {
    const owner = `${metadata.namespace}/${controllerOf({ metadata })?.name ?? metadata.name}`;
    const seen = this.#seenOfOwners.get(owner) ?? 0;
    this.#seenOfOwners.set(owner, seen + 1);
    return `${owner}/${seen}`;
  }

  #nextAddress({ metadata, spec }: Node): string {
    const assigned = this.#assignedAddresses.get(metadata.name) ?? 0;
    this.#assignedAddresses.set(metadata.name, assigned + 1);
    return podAddress(spec.podCIDR, assigned);
  }
}

/** Returns the newer of the observed Pod and the one the server returned last. */
export function latest(observed: Pod, reported: Pod | undefined): Pod {
  if (reported === undefined) return observed;
  const order = compareResourceVersions(observed.metadata.resourceVersion, reported.metadata.resourceVersion);
  return order === undefined || order >= 0 ? observed : reported;
}
