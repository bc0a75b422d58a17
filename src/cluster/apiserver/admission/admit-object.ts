import type { LimitRange, Namespace, Pod, ServiceAccount } from "../../../api/generated/core-v1.ts";
import type { RuntimeClass } from "../../../api/generated/node-v1.ts";
import type { PriorityClass } from "../../../api/generated/scheduling-v1.ts";
import type { StorageClass } from "../../../api/generated/storage-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import { claimProtection, volumeProtection } from "../../../api/volume-names.ts";
import type { ObjectUpdate } from "../kinds/kind-strategy.ts";
import type { Sent } from "../../../api/sent.ts";
import { type Admission, admit } from "./admission.ts";
import { defaultTolerations } from "./default-toleration-seconds.ts";
import { defaultPodResources } from "./limit-ranger.ts";
import { admitToNamespace } from "./namespace-lifecycle.ts";
import { admitPriorityClass, keepPriority, resolvePriority } from "./priority.ts";
import { applyRuntimeClass } from "./runtime-class.ts";
import { assignServiceAccount } from "./service-account.ts";
import { admitClaimUpdate, assignDefaultClass, withProtectionFinalizer } from "./storage.ts";
import { taintNewNode } from "./taint-new-node.ts";

/** The cluster state that admission plugins read. */
export interface AdmissionLookups {
  /** Whether Pods get a service account, which has to exist. */
  readonly assignsAccounts: boolean;
  readonly serviceAccount: (namespace: string, name: string) => Sent<ServiceAccount> | undefined;
  readonly priorityClasses: () => readonly Sent<PriorityClass>[];
  readonly runtimeClass: (name: string) => Sent<RuntimeClass> | undefined;
  readonly limitRanges: (namespace: string) => readonly Sent<LimitRange>[];
  readonly storageClasses: () => readonly StorageClass[];
}

/** A new object, its kind and its namespace. */
export interface CreateAttributes {
  /** `Kind.group`, or the bare kind of the core group. */
  readonly kind: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace: Namespace | undefined;
  readonly object: JsonObject;
}

/** This review is answered also in a namespace that is being deleted. */
const namespaceAccessReview = "LocalSubjectAccessReview.authorization.k8s.io";

/** Runs the admission plugins of a create, in Kubernetes' order. */
export function admitObjectCreate(
  { kind, namespace, object }: CreateAttributes,
  lookups: AdmissionLookups,
): Admission<JsonObject> {
  const entered =
    namespace === undefined || kind === namespaceAccessReview
      ? admit(object)
      : admitToNamespace(object, namespace);
  if (!entered.admitted) return entered;
  switch (kind) {
    case "Pod":
      return admitPod(object, lookups) as Admission<JsonObject>;
    case "Node":
      return admit(taintNewNode(object) as JsonObject);
    case "PersistentVolumeClaim":
      return admit(
        withProtectionFinalizer(
          assignDefaultClass(object, lookups.storageClasses),
          claimProtection,
        ) as JsonObject,
      );
    case "PersistentVolume":
      return admit(withProtectionFinalizer(object, volumeProtection));
    case "PriorityClass.scheduling.k8s.io":
      return admitPriorityClass(object, lookups.priorityClasses()) as Admission<JsonObject>;
    default:
      return entered;
  }
}

function admitPod(pod: Sent<Pod>, lookups: AdmissionLookups): Admission<Sent<Pod>> {
  const namespace = pod.metadata?.namespace ?? "";
  const limited = defaultPodResources(pod, lookups.limitRanges(namespace));
  const assigned = lookups.assignsAccounts
    ? assignServiceAccount(limited, (name) => lookups.serviceAccount(namespace, name))
    : admit(limited);
  if (!assigned.admitted) return assigned;
  const ranked = resolvePriority(assigned.object, lookups.priorityClasses());
  if (!ranked.admitted) return ranked;
  // upstream: after the default tolerations; a class appends its own.
  return applyRuntimeClass(defaultTolerations(ranked.object), lookups.runtimeClass);
}

/** Runs the admission plugins of an update. */
export function admitObjectUpdate(
  kind: string,
  change: ObjectUpdate,
  lookups: AdmissionLookups,
): Admission<JsonObject> {
  switch (kind) {
    case "Pod":
      return admit(defaultTolerations(keepPriority(change)) as JsonObject);
    case "PersistentVolumeClaim":
      return admitClaimUpdate(change, lookups.storageClasses) as Admission<JsonObject>;
    case "PriorityClass.scheduling.k8s.io":
      return admitPriorityClass(change.next, lookups.priorityClasses()) as Admission<JsonObject>;
    default:
      return admit(change.next);
  }
}
