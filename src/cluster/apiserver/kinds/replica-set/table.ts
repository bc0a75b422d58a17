import type { ReplicaSet } from "../../../../api/generated/apps-v1.ts";
import type { ReplicationController } from "../../../../api/generated/core-v1.ts";
import type { Instant } from "../../../../api/time.ts";
import { ageOf } from "../../tables/age.ts";
import { countOf } from "../../tables/cell-text.ts";
import {
  ageColumn,
  type Cell,
  column,
  nameColumn,
  type TableDescription,
} from "../../tables/table-description.ts";
import { templateCells, templateColumns } from "../../tables/template-columns.ts";

export const replicaSetTable: TableDescription<ReplicaSet> = {
  columns: [
    nameColumn,
    column("Desired", "Pods that are wanted.", "integer"),
    column("Current", "Pods that exist.", "integer"),
    column("Ready", "Pods that are ready.", "integer"),
    ageColumn,
    ...templateColumns,
  ],
  cells: (replicaSet, now) => [...countCells(replicaSet, now), ...templateCells(replicaSet.spec)],
};

/** Name, counts and age: what ReplicaSets and ReplicationControllers have in common. */
export function countCells(replicas: ReplicaSet | ReplicationController, now: Instant): readonly Cell[] {
  const { metadata, spec, status } = replicas;
  return [
    metadata.name,
    spec.replicas ?? 1,
    countOf(status?.replicas),
    countOf(status?.readyReplicas),
    ageOf(replicas, now),
  ];
}
