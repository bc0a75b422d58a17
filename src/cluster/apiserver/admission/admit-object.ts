import type { Namespace, Pod, ServiceAccount } from "../../../api/generated/core-v1.ts";
import type { PriorityClass } from "../../../api/generated/scheduling-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { ObjectUpdate } from "../../../api/kinds/kind-strategy.ts";
import type { Sent } from "../../../api/kinds/sent.ts";
import { type Admission, admit } from "./admission.ts";
import { defaultTolerations } from "./default-toleration-seconds.ts";
import { admitToNamespace } from "./namespace-lifecycle.ts";
import { admitPriorityClass, keepPriority, resolvePriority } from "./priority.ts";
import { assignServiceAccount } from "./service-account.ts";

/** What admission has to know of the cluster. */
export interface AdmissionLookups {
  readonly serviceAccount: (namespace: string, name: string) => Sent<ServiceAccount> | undefined;
  readonly priorityClasses: () => readonly Sent<PriorityClass>[];
}

/** A new object, where it wants to go. */
export interface CreateAttributes {
  /** `Kind.group`, or the bare kind of the core group. */
  readonly kind: string;
  /** Absent for objects of the whole cluster. */
  readonly namespace: Namespace | undefined;
  readonly object: JsonObject;
}

/** Asks whether something may be known of a namespace, so the answer must not depend on it. */
const unasked = "LocalSubjectAccessReview.authorization.k8s.io";

/** Lets a new object in, completed by what the cluster knows; in Kubernetes' order of plugins. */
export function admitObjectCreate(
  { kind, namespace, object }: CreateAttributes,
  lookups: AdmissionLookups,
): Admission<JsonObject> {
  const entered =
    namespace === undefined || kind === unasked ? admit(object) : admitToNamespace(object, namespace);
  if (!entered.admitted) return entered;
  switch (kind) {
    case "Pod":
      return admitPod(object, lookups) as Admission<JsonObject>;
    case "PriorityClass.scheduling.k8s.io":
      return admitPriorityClass(object, lookups.priorityClasses()) as Admission<JsonObject>;
    default:
      return entered;
  }
}

function admitPod(pod: Sent<Pod>, lookups: AdmissionLookups): Admission<Sent<Pod>> {
  const namespace = pod.metadata?.namespace ?? "";
  const assigned = assignServiceAccount(pod, (name) => lookups.serviceAccount(namespace, name));
  if (!assigned.admitted) return assigned;
  const ranked = resolvePriority(assigned.object, lookups.priorityClasses());
  return ranked.admitted ? admit(defaultTolerations(ranked.object)) : ranked;
}

/** Lets the next version of an object in. */
export function admitObjectUpdate(
  kind: string,
  change: ObjectUpdate,
  lookups: AdmissionLookups,
): Admission<JsonObject> {
  switch (kind) {
    case "Pod":
      return admit(defaultTolerations(keepPriority(change)) as JsonObject);
    case "PriorityClass.scheduling.k8s.io":
      return admitPriorityClass(change.next, lookups.priorityClasses()) as Admission<JsonObject>;
    default:
      return admit(change.next);
  }
}
