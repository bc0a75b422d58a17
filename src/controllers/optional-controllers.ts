import type { FeatureGates } from "../api/feature-gates.ts";
import type { SetDeletion, SetDeletionRecord } from "../decisions/explain/set-deletion-record.ts";
import type { Component } from "../machinery/component/component.ts";
import type { DecisionLog } from "../machinery/diagnostics/decision-log.ts";
import { daemonSetComponent } from "./daemonset/component.ts";
import { statefulSetComponent } from "./statefulset/component.ts";

/** What the optional controllers need besides the environment they are started in. */
export interface OptionalControllersOptions {
  /** Read at every decision: gates may be switched while the controllers run. */
  readonly gates: () => FeatureGates;
  /** Gates of single controllers by name; the others use `gates`. */
  readonly componentGates?: Readonly<Partial<Record<string, () => FeatureGates>>> | undefined;
  /** Where `/debug/decisions` finds the Pods that they delete, and why; absent: nowhere. */
  readonly deletions?: DecisionLog<SetDeletion, SetDeletionRecord> | undefined;
}

/**
 * The controllers that other clusters run only when they are asked for: their own do the same, without a flaw that Trimtab
 * mends.
 */
export function optionalControllers(options: OptionalControllersOptions): readonly Component[] {
  const gatesOf = (name: string) => options.componentGates?.[name] ?? options.gates;
  const { deletions } = options;
  return [statefulSetComponent(gatesOf("statefulset"), deletions), daemonSetComponent(deletions)];
}
