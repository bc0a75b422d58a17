import type { Pod } from "../../api/generated/core-v1.ts";
import { chooseAsKubernetes, type OpenChoice } from "./choose-as-kubernetes.ts";
import { chooseVictims } from "./choose-victims.ts";
import type { Facts } from "./facts.ts";
import { kubernetesRules } from "./kubernetes-order.ts";
import { removalOrder, type Rule } from "./rules.ts";

/** A removal order and how Pods are chosen by it. */
export interface RemovalProfile {
  readonly summary: string;
  /** Its rules, the first one to be compared first. */
  readonly rules: readonly Rule[];
  readonly choose: (pods: readonly Pod[], count: number, facts: Facts) => OpenChoice;
}

export type RemovalProfileName = "trimtab" | "kubernetes-1.36";

/** The removal orders: that of Trimtab, and the one that explains what kube-controller-manager does. */
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
