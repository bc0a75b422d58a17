import type { StoreEvent } from "../cluster/store/store.ts";
import type { Informers } from "../machinery/informers.ts";
import type { Call } from "./faults/intercept.ts";

/** A part of the cluster in one of its lives. */
export interface Inhabitant {
  readonly part: string;
  /** From 1; every start is a new life. */
  readonly life: number;
  /** What it sees of the world; absent until it has been born. */
  readonly informers: Informers | undefined;
}

/** A commit, and the call that made it, if an inhabitant did. */
export interface Commit {
  readonly kind: "commit";
  readonly collection: string;
  readonly event: StoreEvent;
  readonly by?: Inhabitant | undefined;
  readonly call?: Call | undefined;
}

/** Something that those who watch a world are told of, when it happens. */
export type Observation =
  | Commit
  /** A controller begins to look at what a key means, and has done so. */
  | { readonly kind: "sync-began" | "sync-ended"; readonly by: Inhabitant; readonly key: string }
  /** A call is made; later it is answered, or it fails. */
  | { readonly kind: "called"; readonly by: Inhabitant; readonly call: Call }
  | { readonly kind: "answered"; readonly by: Inhabitant; readonly call: Call; readonly answer: unknown }
  | { readonly kind: "failed"; readonly by: Inhabitant; readonly call: Call; readonly error: unknown }
  /** Nothing can happen before time passes. */
  | { readonly kind: "quiet" }
  /** Faults have ended, and nothing has been written for long. */
  | { readonly kind: "rest" }
  /** Faults have ended long ago, and still there is no rest. */
  | { readonly kind: "unrest" };

/** Hears of everything, in order. */
export type Observer = (observation: Observation) => void;
