import type { StoreEvent } from "../cluster/store/store.ts";
import type { InformerFactory } from "../machinery/informer/informer-factory.ts";
import type { ClientCall } from "../machinery/client/intercept-client.ts";

/** One run of a component: what would be a process of its own elsewhere. */
export interface Process {
  readonly component: string;
  /** From 1; every start is another process. */
  readonly incarnation: number;
  /** What it sees of the cluster; absent until it has been started. */
  readonly informers: InformerFactory | undefined;
}

/** A commit, and the call that made it, if a process did. */
export interface ObservedCommit {
  readonly kind: "commit";
  readonly collection: string;
  readonly event: StoreEvent;
  readonly by?: Process | undefined;
  readonly call?: ClientCall | undefined;
}

/** Something that happens in a cluster, reported to observers at once. */
export type SimulationObservation =
  | ObservedCommit
  /** A controller begins to reconcile a key, and has done so. */
  | { readonly kind: "sync-began" | "sync-ended"; readonly by: Process; readonly key: string }
  /** A call is made; later it is answered, or it fails. */
  | { readonly kind: "called"; readonly by: Process; readonly call: ClientCall }
  | { readonly kind: "answered"; readonly by: Process; readonly call: ClientCall; readonly answer: unknown }
  | { readonly kind: "failed"; readonly by: Process; readonly call: ClientCall; readonly error: unknown }
  /** Nothing can happen before time passes. */
  | { readonly kind: "idle" }
  /** Faults have ended, and nothing has been written for a long time. */
  | { readonly kind: "stable" }
  /** Faults have ended long ago, and objects are still being written. */
  | { readonly kind: "unstable" };

/** Receives everything, in order. */
export type Observer = (observation: SimulationObservation) => void;
