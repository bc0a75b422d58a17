import type { StoreEvent } from "../cluster/store/store.ts";
import type { InformerFactory } from "../machinery/informer/informer-factory.ts";
import type { ClientCall } from "../machinery/client/intercept-client.ts";

/** A part of the cluster in one of its lives. */
export interface Process {
  readonly component: string;
  /** From 1; every start is a new life. */
  readonly incarnation: number;
  /** What it sees of the world; absent until it has been born. */
  readonly informers: InformerFactory | undefined;
}

/** A commit, and the call that made it, if an inhabitant did. */
export interface Commit {
  readonly kind: "commit";
  readonly collection: string;
  readonly event: StoreEvent;
  readonly by?: Process | undefined;
  readonly call?: ClientCall | undefined;
}

/** Something that those who watch a world are told of, when it happens. */
export type Observation =
  | Commit
  /** A controller begins to look at what a key means, and has done so. */
  | { readonly kind: "sync-began" | "sync-ended"; readonly by: Process; readonly key: string }
  /** A call is made; later it is answered, or it fails. */
  | { readonly kind: "called"; readonly by: Process; readonly call: ClientCall }
  | { readonly kind: "answered"; readonly by: Process; readonly call: ClientCall; readonly answer: unknown }
  | { readonly kind: "failed"; readonly by: Process; readonly call: ClientCall; readonly error: unknown }
  /** Nothing can happen before time passes. */
  | { readonly kind: "quiet" }
  /** Faults have ended, and nothing has been written for long. */
  | { readonly kind: "rest" }
  /** Faults have ended long ago, and still there is no rest. */
  | { readonly kind: "unrest" };

/** Hears of everything, in order. */
export type Observer = (observation: Observation) => void;
