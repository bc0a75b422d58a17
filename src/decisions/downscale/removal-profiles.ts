import type { Pod } from "../../api/generated/core-v1.ts";
import { chooseAsKubernetes, type OpenChoice } from "./choose-as-kubernetes.ts";
import { chooseVictims } from "./choose-victims.ts";
import type { Facts } from "./facts.ts";
import { kubernetesRules } from "./kubernetes-order.ts";
import { removalOrder, type Rule } from "./rules.ts";

/** A removal order and the way it chooses. */
export interface RemovalProfile {
  readonly summary: string;
  /** Its rules from the top. */
  readonly rules: readonly Rule[];
  readonly choose: (pods: readonly Pod[], count: number, facts: Facts) => OpenChoice;
}

export type RemovalProfileName = "trimtab" | "kubernetes-1.36";

/** The removal orders we know: our own, and the one by which to explain clusters that are not ours. */
export const removalProfiles: Readonly<Record<RemovalProfileName, RemovalProfile>> = {
  trimtab: {
    summary: "the order Trimtab's own controllers follow: total, so that nothing is left open",
    rules: removalOrder,
    choose: (pods, count, facts) => ({ ...chooseVictims(pods, count, facts), either: [] }),
  },
  "kubernetes-1.36": {
    summary: "the order of kube-controller-manager 1.36: ties and cycles are left open",
    rules: kubernetesRules,
    choose: chooseAsKubernetes,
  },
};
