import type { Lease } from "../../../../api/generated/coordination-v1.ts";
import { ageOf } from "../../tables/age.ts";
import { textOf } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";

export const leaseTable: TableDescription<Lease> = {
  columns: [nameColumn, column("Holder", "Who holds the lease."), ageColumn],
  cells: (lease, now) => [lease.metadata.name, textOf(lease.spec?.holderIdentity), ageOf(lease, now)],
};
