import { expectManyListeners } from "../../machinery/abort/many-listeners.ts";
import type { PersistentVolume, PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { persistentVolumeClaims, persistentVolumes } from "../../api/resources.ts";
import { boundByControllerAnnotation, selectedNodeAnnotation } from "../../api/volume-names.ts";
import type { VolumeBindingPlan } from "../../decisions/placement/plugin.ts";
import { isClaimBound, selectedNodeOf } from "../../decisions/volumes/plan-claim.ts";
import { referenceToClaim } from "../../decisions/volumes/provisioned-volume.ts";
import type { Client, ObjectName, Patch } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import type { AssumedVolumes } from "../cache/assumed-volumes.ts";

export interface VolumeBindingDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly pods: Informer<Pod>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly assumed: AssumedVolumes;
}

/** A Pod, its node, and what has to be written and waited for before it is bound. */
export interface PodOnNode {
  readonly pod: Pod;
  readonly node: string;
  readonly plan: VolumeBindingPlan;
}

/**
 * The volumes that Pods with a node wait for, which may take long: they take no place of the bindings in progress, and
 * end when the scheduler is replaced.
 */
export class VolumeBindings {
  readonly #deps: VolumeBindingDependencies;
  readonly #stopping = new AbortController();
  readonly #inProgress = new Set<Promise<void>>();

  constructor(deps: VolumeBindingDependencies) {
    this.#deps = deps;
    expectManyListeners(this.#stopping.signal); // many Pods may wait
  }

  /** Whether no wait goes on: another scheduler takes over. */
  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  stop(): void {
    this.#stopping.abort(new Error("the scheduler has stopped"));
  }

  /** Resolves when no Pod waits for volumes. */
  async idle(): Promise<void> {
    while (this.#inProgress.size > 0) await Promise.all(this.#inProgress);
  }

  /** Runs work that binds the volumes of a Pod; its promise must not reject. */
  start(work: () => Promise<void>): void {
    const running = work();
    this.#inProgress.add(running);
    void running.finally(() => this.#inProgress.delete(running));
  }

  /** Binds the claims of a Pod on its node; throws when that fails or takes too long. */
  async bind(waiting: PodOnNode): Promise<void> {
    const { client, assumed } = this.#deps;
    const { pod, node, plan } = waiting;
    const { signal } = this.#stopping;
    try {
      signal.throwIfAborted();
      for (const each of plan.reserved)
        if (each.volume.spec.claimRef?.uid !== each.claim.metadata.uid)
          await client.update(persistentVolumes, reservedVolume(each), { signal });
      // A patch, because the binder writes at the same time and an update would often conflict.
      for (const claim of plan.provisioned)
        await client.patch(persistentVolumeClaims, nameOf(claim), { ...withNode(claim, node), signal });
      await this.#bound(waiting);
    } finally {
      assumed.forget(pod);
    }
  }

  /** Resolves when the informer knows that all claims are bound. */
  #bound(waiting: PodOnNode): Promise<void> {
    const { clock, pods, claims } = this.#deps;
    const { signal } = this.#stopping;
    return new Promise<void>((resolve, reject) => {
      const stops: (() => void)[] = [];
      const end = (problem?: string) => {
        for (const stop of stops.splice(0)) stop();
        if (problem === undefined) resolve();
        else reject(new Error(problem));
      };
      const check = () => {
        const state = stateOf(waiting, claims);
        if (state !== "waits") end(state === "bound" ? undefined : state);
      };
      const timer = clock.after(waiting.plan.timeoutMs, () => end("timed out waiting for the condition"));
      const onAbort = () => end("the scheduler has stopped");
      signal.addEventListener("abort", onAbort, { once: true });
      stops.push(
        () => timer.cancel(),
        () => signal.removeEventListener("abort", onAbort),
        pods.addHandler({
          deleted: ({ metadata }) => {
            if (metadata.uid === waiting.pod.metadata.uid) end("pod does not exist any more");
          },
        }),
        claims.addHandler({
          updated: (before, after) => {
            if (isDropped(waiting, before, after))
              end(`provisioning failed for PVC "${after.metadata.name}"`);
            else check();
          },
          deleted: check,
        }),
      );
      check();
    });
  }
}

/** Whether the provisioner has cleared the node of a claim, so that the scheduler chooses another one. */
function isDropped(
  { node, plan }: PodOnNode,
  before: PersistentVolumeClaim,
  after: PersistentVolumeClaim,
): boolean {
  const isPlanned = plan.provisioned.some(({ metadata }) => metadata.uid === after.metadata.uid);
  return (
    isPlanned && selectedNodeOf(before) === node && selectedNodeOf(after) !== node && !isClaimBound(after)
  );
}

/** Whether all claims are bound, or what is in the way. */
function stateOf({ plan }: PodOnNode, claims: Informer<PersistentVolumeClaim>): string {
  let state = "bound";
  for (const planned of [...plan.reserved.map(({ claim }) => claim), ...plan.provisioned]) {
    const now = claims.get(keyOf(planned));
    if (now?.metadata.uid !== planned.metadata.uid) return `could not get PVC "${planned.metadata.name}"`;
    if (!isClaimBound(now)) state = "waits";
  }
  return state;
}

function nameOf({ metadata: { namespace, name } }: PersistentVolumeClaim): ObjectName {
  return { namespace, name };
}

/** The change that selects a node for a claim, unless its name belongs to another claim now. */
function withNode({ metadata: { uid } }: PersistentVolumeClaim, node: string): Patch {
  return { type: "merge", body: { metadata: { uid, annotations: { [selectedNodeAnnotation]: node } } } };
}

function reservedVolume({ claim, volume }: VolumeBindingPlan["reserved"][number]): PersistentVolume {
  const { metadata, spec } = volume;
  const annotations = { ...metadata.annotations, [boundByControllerAnnotation]: "yes" };
  return {
    ...volume,
    metadata: { ...metadata, annotations },
    spec: { ...spec, claimRef: { ...spec.claimRef, ...referenceToClaim(claim) } },
  };
}
