import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { matchesLabels } from "../../api/labels/label-selector.ts";
import type { Instant } from "../../api/time.ts";
import { isConsolidated, isSpreadOnScaleDown } from "../../api/workload-settings.ts";
import type { RemovalProfileName } from "../downscale/removal-profiles.ts";
import type { RemovalState } from "../replicas/removal-facts.ts";
import type { ReplicaOwner } from "../replicas/replica-owner.ts";
import { builtInDefaults, type DefaultsByScheduler } from "../spread/spread-of.ts";
import { activePodsOf, ownerSelection } from "./owned-objects.ts";
import type { WorkloadReader } from "./workload-reader.ts";

/** What a removal depends on besides the objects of the cluster. */
export interface RemovalSettings {
  readonly gates: FeatureGates;
  readonly now: Instant;
  /** The order in which Pods are removed; absent: Trimtab's. */
  readonly removalProfile?: RemovalProfileName | undefined;
  /** Whether the removal looks at domains; absent: as the owner's annotation and the feature gate say. */
  readonly isSpread?: boolean | undefined;
  /** The default constraints of the schedulers; absent: those that are built in. */
  readonly spreadDefaults?: DefaultsByScheduler | undefined;
}

/** Gathers all that a removal from the Pods of an owner is decided by. */
export function gatherRemoval<T extends ReplicaOwner>(
  owner: T,
  reader: WorkloadReader<T>,
  settings: RemovalSettings,
): RemovalState {
  return removalStateOf({ owner, active: activePodsOf(owner, reader) }, reader, settings);
}

/** Variant for callers that know the active Pods of the owner. */
export function removalStateOf<T extends ReplicaOwner>(
  { owner, active }: { readonly owner: T; readonly active: readonly Pod[] },
  reader: WorkloadReader<T>,
  settings: RemovalSettings,
): RemovalState {
  const { gates, now, removalProfile } = settings;
  return {
    owner,
    active,
    related: relatedPods(owner, reader),
    // kube-controller-manager looks at no domains.
    ...(removalProfile !== "kubernetes-1.36" && domainsOf(owner, reader, settings)),
    gates,
    removalProfile,
    now,
  };
}

/** What a removal that empties nodes, or keeps domains even, depends on; nothing for any other. */
function domainsOf<T extends ReplicaOwner>(
  owner: T,
  reader: WorkloadReader<T>,
  { gates, isSpread, spreadDefaults: defaultsFor = builtInDefaults }: RemovalSettings,
): Pick<RemovalState, "spread" | "emptying"> {
  const pods = isConsolidated(owner) ? reader.allPods?.() : undefined;
  const nodes = pods === undefined ? undefined : reader.nodes();
  if (pods !== undefined && nodes !== undefined) return { emptying: { nodes, pods } };
  if (!(isSpread ?? isSpreadOnScaleDown(owner, gates))) return {};
  return { spread: { nodes: reader.nodes(), services: reader.services(), defaultsFor } };
}

/**
 * The Pods that count for co-location: those that any owner with the same controller selects, or the owner itself when it
 * has no controller. Each of them once, and looked up anew whenever they are iterated: most syncs never do.
 */
export function relatedPods<T extends ReplicaOwner>(
  owner: T,
  reader: Pick<WorkloadReader<T>, "siblings" | "podsIn">,
): Iterable<Pod> {
  return {
    *[Symbol.iterator]() {
      const selections = reader.siblings(owner).flatMap((sibling) => ownerSelection(sibling) ?? []);
      for (const pod of reader.podsIn(owner.metadata.namespace)) {
        if (selections.some((selection) => matchesLabels(selection, pod.metadata.labels))) yield pod;
      }
    },
  };
}
