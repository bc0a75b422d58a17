import type { ReplicaSet } from "../../../../api/generated/apps-v1.ts";
import type { ReplicationController } from "../../../../api/generated/core-v1.ts";
import type { Instant } from "../../../../api/time.ts";
import { ageOf, countOrZero } from "../../tables/cell-text.ts";
import {
  ageColumn,
  type TableCell,
  type Column,
  column,
  nameColumn,
  type TableDescription,
} from "../../tables/table-description.ts";
import {
  templateCells,
  templateColumns,
  terminatingCell,
  terminatingColumn,
} from "../../tables/template-columns.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

/** The columns that ReplicaSets and ReplicationControllers share. */
export const replicaColumns: readonly Column[] = [
  nameColumn,
  column("Desired", "The desired number of Pods.", "integer"),
  column("Current", "Pods that exist.", "integer"),
  column("Ready", "Pods that are ready.", "integer"),
  ageColumn,
  ...templateColumns,
];

const replicaSetTable: TableDescription<ReplicaSet> = {
  columns: [...replicaColumns, terminatingColumn],
  cells: (replicaSet, now) => [
    ...countCells(replicaSet, now),
    ...templateCells(replicaSet.spec),
    terminatingCell(replicaSet.status),
  ],
};

/** Returns name, counts and age, which ReplicaSets and ReplicationControllers share. */
export function countCells(replicas: ReplicaSet | ReplicationController, now: Instant): readonly TableCell[] {
  const { metadata, spec, status } = replicas;
  return [
    metadata.name,
    spec.replicas ?? 1,
    countOrZero(status?.replicas),
    countOrZero(status?.readyReplicas),
    ageOf(replicas, now),
  ];
}

const replicaSetDescriptions: TypeDescriptions = {
  "apps.v1.ReplicaSet": {
    about: "Keeps a number of Pods of one template running. Deployments create ReplicaSets.",
  },
  "apps.v1.ReplicaSetSpec": {
    fields: {
      replicas: "The desired number of Pods; 1 by default.",
      minReadySeconds: "How long a Pod must have been ready to count as available.",
      selector: "Which Pods belong to this ReplicaSet. Must match the template's labels; cannot be changed.",
      template: "The template that new Pods are created from. Existing Pods are not changed.",
      downscalePodPicker:
        "A service that is asked which Pods to delete first whenever this ReplicaSet is scaled down. It only breaks ties: Pods that are not ready, or have a lower deletion cost, are still deleted before the Pods it names. Without an answer the usual order applies.",
    },
  },
  "apps.v1.ReplicaSetStatus": {
    fields: {
      replicas: "Non-terminating Pods.",
      fullyLabeledReplicas: "Non-terminating Pods that carry all labels of the template.",
      readyReplicas: "Non-terminating Pods that are ready.",
      availableReplicas: "Non-terminating Pods that have been ready for minReadySeconds.",
      terminatingReplicas: "Pods that are being deleted and have not terminated yet.",
      observedGeneration: "The generation that the rest of the status describes.",
      conditions: "Whether Pods could be created and deleted.",
    },
  },
};

export const replicaSetPresentation: KindPresentation = {
  table: replicaSetTable,
  descriptions: replicaSetDescriptions,
};
