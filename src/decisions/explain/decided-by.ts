import type { Deployment } from "../../api/generated/apps-v1.ts";
import type { ManagedFieldsEntry } from "../../api/generated/meta-v1.ts";
import {
  defaultFeatureGates,
  externalClusterFeatureGates,
  type FeatureGates,
} from "../../api/feature-gates.ts";
import type { Labels } from "../../api/labels/label-selector.ts";
import { parseTime } from "../../api/time.ts";
import type { RemovalProfileName } from "../downscale/removal-profiles.ts";
import type { ReplicaOwner } from "../replicas/replica-owner.ts";
import { wishesOf } from "../stock/wish.ts";

/** Which controllers decide about a workload, and how that is known. */
export interface DecidedBy {
  readonly profile: RemovalProfileName;
  /** Whose controllers they are: of `trimtab up`, of `trimtab controllers`, or stock ones that `trimtab steer` steers. */
  readonly controllers: "embedded" | "external" | "steered" | "stock";
  /** Whether the profile was read from the workload, asked for, or is only assumed. */
  readonly how: "found" | "chosen" | "assumed";
  /** What shows it, as a sentence without a full stop. */
  readonly because: string;
}

/** The controllers of `trimtab up` write under their own names, those of `trimtab controllers` under that of the program. */
const embeddedManagers: ReadonlySet<string> = new Set(["deployment", "replicaset", "replicationmanager"]);
const externalManager = "trimtab-controllers";
const stockManager = "kube-controller-manager";

/**
 * Finds out which controllers decide about a workload. The API server notes who wrote a status, and only the controller
 * of a workload writes that; no further permission is needed to see it.
 */
export function findDecidedBy(owner: Deployment | ReplicaOwner, namespaceLabels: Labels): DecidedBy {
  const manager = statusManager(owner.metadata.managedFields ?? []);
  const written = `the status of ${owner.kind} ${owner.metadata.name} was written by "${manager}"`;
  if (manager !== undefined && embeddedManagers.has(manager))
    return {
      profile: "trimtab",
      controllers: "embedded",
      how: "found",
      because: `${written}, a controller of an embedded cluster`,
    };
  if (manager === externalManager)
    return { profile: "trimtab", controllers: "external", how: "found", because: written };
  if (isSteered(owner, namespaceLabels))
    return {
      profile: "trimtab",
      controllers: "steered",
      how: "assumed",
      because: "the workload asks for Trimtab's removal order, which trimtab steer provides if it runs there",
    };
  if (manager === stockManager)
    return { profile: "kubernetes-1.36", controllers: "stock", how: "found", because: written };
  return {
    profile: "kubernetes-1.36",
    controllers: "stock",
    how: "assumed",
    because: "nothing shows that controllers of Trimtab run there",
  };
}

/** Replaces the profile that was found by the one that the user chose. */
export function decidedAs(profile: RemovalProfileName, found: DecidedBy): DecidedBy {
  const controllers = profile === "kubernetes-1.36" ? "stock" : found.controllers;
  return {
    profile,
    controllers: controllers === "stock" && profile === "trimtab" ? "embedded" : controllers,
    how: "chosen",
    because: "it was chosen",
  };
}

/** The feature gates that controllers have unless they are told otherwise; an embedded cluster may say its own. */
export function defaultGatesOf(
  { controllers }: Pick<DecidedBy, "controllers">,
  embedded = defaultFeatureGates,
): FeatureGates {
  switch (controllers) {
    case "embedded":
      return embedded;
    case "steered":
      return defaultFeatureGates;
    case "external":
      return externalClusterFeatureGates;
    case "stock":
      return { ...defaultFeatureGates, DownscalePodPicker: false, DeploymentPodReplacementPolicy: false };
  }
}

function isSteered(owner: Deployment | ReplicaOwner, namespaceLabels: Labels): boolean {
  return owner.kind !== "ReplicationController" && wishesOf(owner, namespaceLabels).steersRemovals;
}

/** Who wrote a status last. */
function statusManager(entries: readonly ManagedFieldsEntry[]): string | undefined {
  const writtenAt = ({ time }: ManagedFieldsEntry) => parseTime(time) ?? 0;
  return entries
    .filter(({ subresource }) => subresource === "status")
    .toSorted((one, other) => writtenAt(other) - writtenAt(one))[0]?.manager;
}
