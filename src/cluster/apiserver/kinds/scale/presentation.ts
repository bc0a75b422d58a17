import type { Scale } from "../../../../api/generated/autoscaling-v1.ts";
import type { StoredMeta } from "../../../../api/object.ts";
import { ageOf, countOrZero } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

/** The body of `/scale`, which has the metadata of the scaled object. */
type ServedScale = Scale & { readonly metadata: StoredMeta };

const scaleTable: TableDescription<ServedScale> = {
  columns: [
    nameColumn,
    column("Desired", "The desired number of Pods.", "integer"),
    column("Available", "Pods that exist.", "integer"),
    ageColumn,
  ],
  cells: (scale, now) => [
    scale.metadata.name,
    countOrZero(scale.spec?.replicas),
    countOrZero(scale.status?.replicas),
    ageOf(scale, now),
  ],
};

const scaleDescriptions: TypeDescriptions = {
  "autoscaling.v1.Scale": {
    about: "The size of a workload: the desired and the current number of Pods.",
  },
  "autoscaling.v1.ScaleSpec": {
    fields: {
      replicas: "The desired number of Pods.",
    },
  },
  "autoscaling.v1.ScaleStatus": {
    fields: {
      replicas: "The current number of Pods.",
      selector: "Which Pods are counted, as a label selector for `kubectl get -l`.",
    },
  },
};

export const scalePresentation: KindPresentation = { table: scaleTable, descriptions: scaleDescriptions };
