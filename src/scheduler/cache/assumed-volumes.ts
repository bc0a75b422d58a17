import type { PersistentVolume, PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { selectedNodeAnnotation } from "../../api/volume-names.ts";
import type { VolumeBindingPlan } from "../../decisions/placement/plugin.ts";
import type { VolumeLookups } from "../../decisions/placement/view/cluster-view.ts";

/** The volumes that Pods with a node wait for. */
interface Assumed {
  readonly node: string;
  readonly plan: VolumeBindingPlan;
}

/**
 * Claims and volumes as the informers know them, with what the scheduler has decided about them and the API server has
 * not confirmed: until then no other Pod gets the same volume, or another node for the same claim.
 */
export class AssumedVolumes implements VolumeLookups {
  readonly #known: VolumeLookups;
  /** By UID of the Pod. */
  readonly #assumed = new Map<string, Assumed>();
  readonly storageClass: VolumeLookups["storageClass"];
  readonly bindsClaims: boolean;

  constructor(known: VolumeLookups) {
    this.#known = known;
    this.storageClass = known.storageClass;
    this.bindsClaims = known.bindsClaims;
  }

  /** Assumes that a plan has been carried out. */
  assume(pod: Pod, node: string, plan: VolumeBindingPlan): void {
    this.#assumed.set(pod.metadata.uid, { node, plan });
  }

  /** Forgets what was assumed for a Pod: it is confirmed, or has failed. */
  forget(pod: Pod): void {
    this.#assumed.delete(pod.metadata.uid);
  }

  readonly claim = (namespace: string, name: string): PersistentVolumeClaim | undefined => {
    const known = this.#known.claim(namespace, name);
    if (known === undefined || this.#assumed.size === 0) return known;
    const node = this.#nodeFor(known);
    if (node === undefined) return known;
    const annotations = { ...known.metadata.annotations, [selectedNodeAnnotation]: node };
    return { ...known, metadata: { ...known.metadata, annotations } };
  };

  readonly volume = (name: string): PersistentVolume | undefined => this.#known.volume(name);

  readonly reservedFor = (claim: PersistentVolumeClaim): PersistentVolume | undefined => {
    for (const { plan } of this.#assumed.values())
      for (const each of plan.reserved)
        if (each.claim.metadata.uid === claim.metadata.uid) return this.volume(each.volume.metadata.name);
    return this.#known.reservedFor(claim);
  };

  readonly unclaimed = (storageClass: string): readonly PersistentVolume[] => {
    const known = this.#known.unclaimed(storageClass);
    if (this.#assumed.size === 0) return known;
    const taken = new Set(
      [...this.#assumed.values()].flatMap(({ plan }) => plan.reserved.map(({ volume }) => keyOf(volume))),
    );
    return known.filter((volume) => !taken.has(keyOf(volume)));
  };

  /** The node for which the volume of a claim is going to be made. */
  #nodeFor({ metadata: { uid } }: PersistentVolumeClaim): string | undefined {
    for (const { node, plan } of this.#assumed.values())
      if (plan.provisioned.some(({ metadata }) => metadata.uid === uid)) return node;
    return undefined;
  }
}
