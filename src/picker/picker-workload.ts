import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import { dns1123SubdomainProblems } from "../api/names.ts";
import { controllerOf } from "../api/owner-references.ts";
import type { Headers } from "./transport/transport.ts";

/** The workload that a picker is called for: the controller of the ReplicaSet, such as a Deployment, or else itself. */
export interface PickerWorkload {
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export function pickerWorkloadOf(owner: ReplicaSet): PickerWorkload {
  const { namespace = "", name, uid } = owner.metadata;
  const controller = controllerOf(owner);
  return controller !== undefined && isWellFormed(controller)
    ? { namespace, kind: controller.kind, name: controller.name, uid: controller.uid }
    : { namespace, kind: "ReplicaSet", name, uid };
}

/** Owner references of other API servers may hold any text; this one goes into a header. */
function isWellFormed({ kind, name }: { readonly kind: string; readonly name: string }): boolean {
  return /^[A-Za-z0-9]{1,63}$/.test(kind) && dns1123SubdomainProblems(name).length === 0;
}

const prefix = "trimtab-";

/** Adds the headers that say whose Pods a request is about; a workload's author cannot set them. */
export function withWorkloadHeaders(headers: Headers, { namespace, kind, name }: PickerWorkload): Headers {
  return [
    ...headers.filter(([header]) => !header.toLowerCase().startsWith(prefix)),
    ["Trimtab-Namespace", namespace],
    ["Trimtab-Workload", `${kind}/${name}`],
  ];
}
