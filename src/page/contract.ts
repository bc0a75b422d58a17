import type { FeatureGates } from "../api/feature-gates.ts";
import type { Status } from "../api/generated/meta-v1.ts";
import type { JsonObject } from "../api/json.ts";
import type { RemovalProfileName } from "../decisions/downscale/removal-profiles.ts";
import type { PickerAnswerGiven } from "../decisions/explain/rank-candidates.ts";
import type { ActionOutcome } from "../user-actions/action-outcome.ts";
import type { ActionNamed } from "../user-actions/user-action.ts";

// What the page in the browser (`ui/`) and its server agree on; both import it, so it imports nothing of Node.
//
//   GET  /                   the bundle, and /assets/FILE
//   GET  /open?link=…        the one-time link: sets the cookie that every other request needs
//   GET  /cluster.json       `ClusterFacts`
//   GET  /api/…, /apis/…     get, list and watch of the kinds in `forwarded-kinds.ts`
//   GET  /watch?of=PATH&of=… several watches in one response, since browsers open six connections to an origin;
//                            a line is the index of the `of`, a space and the event as the API server sends it, or a
//                            `StreamEvent`
//   GET  /debug/decisions?namespace=&name=, /debug/placements?namespace=&name=&nodes=none&limit=
//   GET  /scaled.json        `ScaledObjects`
//   POST /do                 a `PageAction`, answered by an `ActionResult`
//   POST /ask-pickers        a `PickerQuestion`, answered by `PickerAnswers`; nothing is changed by it
//
// Every error is a Status.

/** The records of decisions that a cluster may keep: `/debug/decisions` and `/debug/placements`. */
export type RecordKind = "decisions" | "placements";

/** What the page has to know about a cluster besides its objects. */
export interface ClusterFacts {
  /** Whether this is a cluster of `trimtab up`. */
  readonly mode: "embedded" | "other";
  /** As users name it: that of the context in the kubeconfig. */
  readonly name: string;
  /** Where its API server is. */
  readonly server: string;
  /** The `gitVersion` of its API server; empty when that does not tell. */
  readonly version: string;
  /** The version of the page's own server. */
  readonly pageVersion: string;
  /** Whether `/do` does anything. */
  readonly writes: boolean;
  /** Whether `/ask-pickers` asks pod pickers; absent: it does not. */
  readonly asksPickers?: boolean;
  /** The only namespace whose objects are listed; absent: all. */
  readonly namespace?: string;
  /** The records of decisions that can be read. */
  readonly records: readonly RecordKind[];
  /** By which order its controllers remove Pods. */
  readonly removalProfile: RemovalProfileName;
  readonly featureGates: FeatureGates;
  /** The profiles of its scheduler, the first one for Pods that name none. */
  readonly schedulerProfiles: readonly SchedulerProfile[];
  /** The time of the cluster at the moment of the answer. */
  readonly time: { readonly now: string; readonly speed: number; readonly paused: boolean };
}

/** How a scheduler places the Pods that name it, with defaults filled in. */
export interface SchedulerProfile {
  readonly schedulerName: string;
  readonly percentageOfNodesToScore: number;
  /** The names of the plugins at each extension point, such as `filter`, in the order in which they run. */
  readonly plugins: Readonly<Record<string, readonly string[]>>;
  /** The weights of those that score. */
  readonly weights: Readonly<Record<string, number>>;
  /** The arguments of those that take any, by name. */
  readonly args: JsonObject;
}

/** A line of `/watch` that is no event of the API server: `-` is its index when it belongs to no watch. */
export type StreamEvent =
  /** The API server has answered: the events of the watch follow. */
  | { readonly type: "OPENED" }
  /** A watch has ended or could not start; the code of the Status is 200 when the API server ended it as usual. */
  | { readonly type: "CLOSED"; readonly object: Status }
  /** Nothing has happened for a while, but the server is there. */
  | { readonly type: "HEARTBEAT" };

/** How often `/watch` says something, in milliseconds. */
export const heartbeatMs = 15_000;

/** An object of a custom kind that has a scale. */
export interface ScaledObject {
  readonly group: string;
  readonly kind: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The size it is to have, and the one its controller reports; absent: the object does not say. */
  readonly replicas?: number;
  readonly currentReplicas?: number;
  /** Which Pods are its own, as its status says; absent: it does not say. */
  readonly selector?: string;
}

/** All objects of custom kinds with a scale that the user may list. */
export interface ScaledObjects {
  readonly objects: readonly ScaledObject[];
  /** What is missing in them, and why. */
  readonly problems: readonly string[];
}

/** What the page asks the server to do. */
export type PageAction = ActionNamed<
  "scale" | "restart" | "cordon" | "uncordon" | "drain" | "fail" | "restore"
>;

/** A scale about which the pickers of the workload are asked. */
export interface PickerQuestion {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly replicas: number;
}

/** What the pickers answered, by the name of the ReplicaSet and in the order of the questions. */
export type PickerAnswers = Readonly<Record<string, readonly PickerAnswerGiven[]>>;

/** What came of a `PageAction`. */
export interface ActionResult extends ActionOutcome {
  /** The line that would have done the same. */
  readonly kubectl: string;
}

/** The header that a POST needs besides the Origin of the page: no form can send it. */
export const pageHeader = "trimtab-page";
