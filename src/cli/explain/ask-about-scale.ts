import type { FeatureGates } from "../../api/feature-gates.ts";
import type { RemovalProfileName } from "../../decisions/downscale/removal-profiles.ts";
import type { ExplainedObject } from "../../decisions/explain/object-reference.ts";
import type { PickerExplanation } from "../../decisions/explain/rank-candidates.ts";
import type { ObservedCluster } from "../connection/cluster-view.ts";
import type { AskOptions } from "./ask-pickers.ts";
import { explainScale } from "./explain-object.ts";

/** A scale about which pickers are asked. */
export interface AskedScale {
  readonly workload: ExplainedObject;
  readonly replicas: number;
  readonly profile?: RemovalProfileName | undefined;
  readonly gates: (defaults: FeatureGates) => FeatureGates;
}

/** What the picker of a ReplicaSet was asked. */
export interface AskedPicker {
  readonly owner: string;
  readonly questions: readonly PickerExplanation[];
}

/** Asks the pickers of a workload what a scale would ask them; `undefined` where there is no such workload. */
export async function askAboutScale(
  { workload, ...settings }: AskedScale,
  { view, ask }: { readonly view: ObservedCluster; readonly ask: Omit<AskOptions, "isEmbedded"> },
): Promise<readonly AskedPicker[] | undefined> {
  const context = { view, namespace: workload.namespace, ask };
  const explanation = await explainScale(settings, workload, context);
  return explanation?.owners
    .filter(({ pickers }) => pickers.length > 0)
    .map(({ name, pickers }) => ({ owner: name, questions: pickers }));
}
