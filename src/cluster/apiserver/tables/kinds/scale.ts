import type { Scale } from "../../../../api/generated/autoscaling-v1.ts";
import type { StoredMeta } from "../../../../api/object.ts";
import { ageOf } from "../age.ts";
import { countOf } from "../cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../table-description.ts";

/** The answer of `/scale`, which carries the metadata of what it scales. */
type ServedScale = Scale & { readonly metadata: StoredMeta };

export const scaleTable: TableDescription<ServedScale> = {
  columns: [
    nameColumn,
    column("Desired", "Pods that are wanted.", "integer"),
    column("Available", "Pods that exist.", "integer"),
    ageColumn,
  ],
  cells: (scale, now) => [
    scale.metadata.name,
    countOf(scale.spec?.replicas),
    countOf(scale.status?.replicas),
    ageOf(scale, now),
  ],
};
