import type { JsonObject } from "../api/json.ts";
import type { DeleteOptions, Patch, WriteOptions } from "../machinery/client/client.ts";

/** The object that an action changes. */
export interface ActionTarget {
  /** Absent: that of the kind in Kubernetes itself. */
  readonly apiVersion?: string;
  readonly kind: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly name: string;
}

/** A node by its name, or every node of a zone. */
export type NodesTarget = { readonly node: string } | { readonly zone: string };

/** Labels or annotations to set; `null` removes one. */
export type MetadataChanges = Readonly<Record<string, string | null>>;

/**
 * Something a user does to a cluster, as plain data. The page, what-ifs, scenario files and chaos tests perform these
 * actions and no others: `performAction` carries one out, `describeAction` says what it does, `kubectlLine` is the
 * command that does the same.
 */
export type UserAction =
  | (ActionTarget & { readonly action: "scale"; readonly replicas: number })
  /** Sets the image of one container; absent: of the first. */
  | (ActionTarget & { readonly action: "set-image"; readonly container?: string; readonly image: string })
  /** Replaces the whole Pod template. */
  | (ActionTarget & { readonly action: "set-template"; readonly template: JsonObject })
  | EachAction<"restart" | "pause" | "resume", ActionTarget>
  /** Rolls a Deployment back; absent: to the revision before. */
  | (ActionTarget & { readonly action: "undo"; readonly toRevision?: number })
  /** A node that fails is silent from then on; one that is restored reports again. */
  | EachAction<"cordon" | "uncordon" | "drain" | "fail" | "restore", NodesTarget>
  | { readonly action: "evict"; readonly namespace: string; readonly name: string }
  | (ActionTarget &
      Pick<DeleteOptions, "propagationPolicy" | "gracePeriodSeconds"> & { readonly action: "delete" })
  | (ActionTarget & { readonly action: "label"; readonly labels: MetadataChanges })
  | (ActionTarget & { readonly action: "annotate"; readonly annotations: MetadataChanges })
  | (ActionTarget & Pick<WriteOptions, "subresource"> & { readonly action: "patch"; readonly patch: Patch })
  /** Creates an object; `apply` changes it to the manifest where it exists. */
  | EachAction<"apply" | "create", { readonly manifest: JsonObject }>;

/** One member of the union for each of the names. */
type EachAction<Name extends string, Fields> = Name extends string
  ? Fields & { readonly action: Name }
  : never;

export type ActionName = UserAction["action"];

/** The actions of some names. */
export type ActionNamed<Name extends ActionName> = Extract<UserAction, { readonly action: Name }>;
