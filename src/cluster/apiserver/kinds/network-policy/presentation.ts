import type { LabelSelector } from "../../../../api/generated/meta-v1.ts";
import type { NetworkPolicy } from "../../../../api/generated/networking-v1.ts";
import { ageOf, selectorText } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type TableDescription,
  type Unchecked,
} from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

const networkPolicyTable: TableDescription<Unchecked<NetworkPolicy>> = {
  columns: [nameColumn, column("Pod-Selector", "Which Pods the policy is for, by their labels."), ageColumn],
  cells: (policy, now) => [
    policy.metadata.name,
    selectorText((policy.spec?.podSelector ?? {}) as LabelSelector),
    ageOf(policy, now),
  ],
};

export const networkPolicyPresentation: KindPresentation = {
  table: networkPolicyTable,
  descriptions: {
    "networking.v1.NetworkPolicy": {
      about: "Which Pods may connect to which. Stored here, not enforced.",
    },
  },
};
