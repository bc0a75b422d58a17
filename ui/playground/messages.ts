import type { FeatureGates } from "../../src/api/feature-gates.ts";
import type { Status } from "../../src/api/generated/meta-v1.ts";
import type { Resource } from "../../src/api/resource.ts";
import type { ListQuery, WatchQuery } from "../../src/machinery/client/client.ts";
import type { PageAction } from "../../src/page/contract.ts";
import type { TimeSeries } from "../../src/simulation/tracking/time-series.ts";

// What the page and the worker with the cluster say to each other.

/** What the cluster of a play begins with: the same gives the same bytes everywhere. */
export interface Play {
  /** A scenario file. */
  readonly scenario: string;
  readonly seed: number;
  /** The files that the scenario names, such as a snapshot. */
  readonly files?: Readonly<Record<string, string>>;
  /** The moments at which time stops for a sentence, in seconds since the beginning. */
  readonly moments: readonly number[];
}

/** A change of how time passes. */
export type TimeChange =
  | { readonly to: "pause" | "resume" | "decision" | "moment" }
  | { readonly to: "step"; readonly ms: number }
  | { readonly to: "speed"; readonly speed: number };

/** How time passes. */
export interface TimeState {
  readonly now: number;
  /** Milliseconds since the beginning. */
  readonly passedMs: number;
  readonly speed: number;
  readonly paused: boolean;
  /** The moment it has stopped for. */
  readonly moment?: number;
  /** The moment it stops for next. */
  readonly nextMoment?: number;
}

/** What the page asks for. */
export type WorkerQuestion =
  | { readonly ask: "start"; readonly play: Play }
  | { readonly ask: "list"; readonly resource: Resource; readonly query: ListQuery }
  | { readonly ask: "watch"; readonly resource: Resource; readonly query: WatchQuery }
  | { readonly ask: "debug"; readonly path: string; readonly query: Readonly<Record<string, string>> }
  | { readonly ask: "facts" | "scenario" | "manifests" | "cut-watches" | "series" }
  | { readonly ask: "hang-pickers"; readonly isOn: boolean }
  | { readonly ask: "gates"; readonly gates: Partial<FeatureGates> }
  | { readonly ask: "act"; readonly action: PageAction }
  /** Applies manifests, or only says what is wrong with them. */
  | { readonly ask: "apply" | "check"; readonly text: string }
  /** What may stand at a place of manifests. */
  | { readonly ask: "words"; readonly text: string; readonly at: number }
  /** The text is what `-f manifest.yaml` reads. */
  | { readonly ask: "run"; readonly line: string; readonly manifest: string }
  | { readonly ask: "complete"; readonly line: string }
  | { readonly ask: "time"; readonly change: TimeChange }
  | { readonly ask: "follow-time" };

/** What a pod picker is asked, as in its contract. */
export interface SandboxQuestion {
  readonly requested: number;
  readonly candidates: readonly string[];
}

/** What came of asking the picker that is written in the page. */
export type SandboxAnswer =
  | { readonly kind: "answered"; readonly answer: unknown }
  | { readonly kind: "hangs" }
  | { readonly kind: "fails"; readonly why: string };

export type PageMessage =
  | { readonly picked: number; readonly answer: SandboxAnswer }
  /** Without a text the reader has cancelled. */
  | { readonly edited: number; readonly text?: string }
  | { readonly id: number; readonly question: WorkerQuestion }
  /** Ends a question whose answer has parts. */
  | { readonly id: number; readonly cancel: true };

/** A piece of what a line of the terminal writes. */
export interface Written {
  readonly to: "out" | "err";
  readonly text: string;
}

export type WorkerMessage =
  /** Asks the picker of the page. */
  | { readonly pick: number; readonly question: SandboxQuestion }
  /** Lets the reader change a text. */
  | { readonly edit: number; readonly text: string }
  /** Parts of an answer that goes on: events of a watch, states of time, pieces of output. */
  | { readonly id: number; readonly parts: readonly unknown[] }
  | { readonly id: number; readonly value: unknown }
  /** A refusal; without a status something is broken. */
  | { readonly id: number; readonly failure: { readonly message: string; readonly status?: Status } };

/** What came of manifests: a line for each object, and what is wrong. */
export interface Applied {
  readonly done: readonly string[];
  readonly problems: readonly string[];
}

/** How the workloads changed over time. */
export interface PlayedSeries extends TimeSeries {
  /** When the first sample was taken, in seconds since the beginning. */
  readonly fromSeconds: number;
}

/** A scenario with what was done by hand. */
export interface PlayedScenario {
  readonly text: string;
  /** What was done and no event of a scenario says: lines of the terminal, and buttons. */
  readonly missing: readonly string[];
}

/** A word that may stand at a place of a manifest. */
export interface ManifestWord {
  readonly word: string;
  /** What is written for it. */
  readonly insert: string;
  /** Its type, and whether it is required. */
  readonly detail: string;
}

/** What may stand at a place of a text of manifests. */
export interface ManifestWords {
  /** Where the word begins that they replace. */
  readonly from: number;
  readonly words: readonly ManifestWord[];
}

/** What may stand in place of the last word of a line, which may be empty. */
export interface Completion {
  readonly current: string;
  readonly words: readonly string[];
}
