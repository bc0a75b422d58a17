import type { PodTemplateSpec } from "../../src/api/generated/core-v1.ts";
import { template } from "../deployment/builders.ts";

export const taintEffects = ["NoSchedule", "NoExecute", "PreferNoSchedule"] as const;
export type TaintEffect = (typeof taintEffects)[number];

/** Gives a node the taint of stories with an effect, or takes it away. */
export interface TaintStep {
  readonly do: "taint";
  readonly node: string;
  readonly effect: TaintEffect | undefined;
  /** The nodes on which the set has Pods thereafter. */
  readonly on: readonly string[];
}

/** What a user does to the set `web`, each once the set has done what it can about the one before. */
export type Step =
  | { readonly do: "change"; readonly spec: object; readonly on?: readonly string[] }
  | { readonly do: "delete-pods"; readonly ordinals: readonly number[] }
  | { readonly do: "delete-pods-on"; readonly node: string }
  | TaintStep
  | { readonly do: "delete-sick-pods" };

export interface Story {
  readonly name: string;
  readonly kind: "StatefulSet" | "DaemonSet";
  readonly spec: object;
  readonly steps: readonly Step[];
}

/** The taint that stories put on nodes; the Pods of all others tolerate it. */
export const storyTaint = "stories";

/** The image whose Pods never become ready. */
export const broken = "web:broken";

/** A template whose Pods start and end soon; those of a broken image never become ready. */
export function quickTemplate(image: string): PodTemplateSpec {
  const made = template({
    image,
    startsIn: "20ms",
    endsIn: "100ms",
    ...(image === broken && { readyIn: "never" }),
  });
  // Merge patches keep the annotations of the template before, which therefore has all of them.
  const annotations = {
    "sim.trimtab.dev/neverReady": String(image === broken),
    ...made.metadata?.annotations,
  };
  // Stories share the nodes, which one of them taints.
  const tolerations = [{ key: storyTaint, operator: "Exists" }];
  return {
    metadata: { ...made.metadata, annotations },
    spec: { containers: [], ...made.spec, tolerations },
  };
}
