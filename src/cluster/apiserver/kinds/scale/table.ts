import type { Scale } from "../../../../api/generated/autoscaling-v1.ts";
import type { StoredMeta } from "../../../../api/object.ts";
import { ageOf } from "../../tables/age.ts";
import { countOf } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";

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
