import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Json, JsonObject } from "../../api/json.ts";
import type { NodeGroup } from "../../cluster/node-groups/node-group.ts";
import type { FailureClass } from "../../picker/picker-failure.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { SubjectName } from "./assertion-schema.ts";

/** A scenario as its file has it, after validation: plain data, so that threads can be given it. */
export interface ScenarioDocument {
  readonly name: string;
  readonly description?: string;
  readonly duration?: string;
  readonly seed?: number;
  readonly seeds?: number;
  /** The content of the snapshot file, not its name. */
  readonly snapshot?: Snapshot;
  readonly nodes?: number | readonly NodeGroup[];
  readonly zones?: number;
  readonly featureGates?: Partial<FeatureGates>;
  readonly scheduler?: JsonObject;
  /** Those of `manifestFiles`, too. */
  readonly manifests: readonly JsonObject[];
  readonly work?: readonly WorkDocument[];
  readonly load?: readonly LoadDocument[];
  readonly pickers?: readonly PickerDocument[];
  readonly events?: readonly EventDocument[];
  readonly assertions?: readonly AssertionDocument[];
}

/** Which Pods are busy. */
export interface WorkDocument {
  readonly selector: string;
  readonly namespace?: string;
  readonly first?: number;
  readonly share?: number | string;
  readonly busyFor?: string;
  readonly idleFor?: string;
  readonly tasks?: number | string;
}

/** The load on the Pods of an object, as its annotation has it. */
export interface LoadDocument {
  readonly object: string;
  readonly namespace?: string;
  /** By the name of the metric; `readLoad` reads it. */
  readonly metrics: JsonObject;
}

/** A pod picker as data. */
export interface PickerDocument {
  readonly host: string;
  readonly answer:
    | "least-busy"
    | "even-zones"
    | "nothing"
    | { readonly chosenPods?: readonly string[]; readonly tiedPods?: readonly string[] };
  readonly delay?: string;
  readonly failureRate?: number | string;
  readonly failure?: FailureClass;
  readonly outages?: readonly {
    readonly from: string;
    readonly until?: string;
    readonly failure?: FailureClass;
  }[];
}

interface WorkloadTarget {
  readonly workload: string;
  readonly namespace?: string;
}

/** An object by its name, or Pods by a selector. */
export interface ObjectsTarget {
  readonly object?: string;
  readonly namespace?: string;
  readonly selector?: string;
  readonly count?: number;
  readonly which?: "oldest" | "youngest" | "random" | "busy" | "idle";
}

/** A node by its name, or all nodes of a zone. */
export interface NodesTarget {
  readonly node?: string;
  readonly zone?: string;
}

/** What an event does: exactly one member is there. */
export interface ActionDocument {
  readonly apply?: readonly JsonObject[];
  readonly scale?: WorkloadTarget & { readonly replicas: number };
  readonly setImage?: WorkloadTarget & { readonly image: string; readonly container?: string };
  readonly restart?: WorkloadTarget;
  readonly patch?: {
    readonly object: string;
    readonly namespace?: string;
    readonly type?: "strategic" | "merge" | "json";
    readonly subresource?: "status" | "scale";
    readonly patch: Json;
  };
  readonly delete?: ObjectsTarget;
  readonly label?: ObjectsTarget & { readonly labels: Readonly<Record<string, string | boolean>> };
  readonly annotate?: ObjectsTarget & { readonly annotations: Readonly<Record<string, string | boolean>> };
  readonly cordon?: NodesTarget;
  readonly uncordon?: NodesTarget;
  readonly drain?: NodesTarget;
  readonly down?: NodesTarget;
  readonly up?: NodesTarget;
  readonly load?: LoadDocument;
  readonly slowTermination?: {
    readonly selector?: string;
    readonly namespace?: string;
    readonly delay: string;
  };
  readonly featureGates?: Partial<FeatureGates>;
}

/** Something that happens at a time. */
export interface EventDocument extends ActionDocument {
  readonly at: string;
  readonly every?: string;
  readonly times?: number;
  readonly mayFail?: boolean;
}

/** The numbers that pass. */
export interface Limits {
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly exactly?: number;
  readonly topologyKey?: string;
}

/** Something that has to hold: exactly one subject is there. */
export interface AssertionDocument extends Readonly<
  Partial<Record<Exclude<SubjectName, "complete">, Limits>>
> {
  readonly name?: string;
  readonly workload?: string;
  readonly selector?: string;
  readonly namespace?: string;
  readonly from?: string;
  readonly until?: string;
  readonly at?: string;
  readonly for?: string;
  readonly complete?: { readonly within: string };
}
