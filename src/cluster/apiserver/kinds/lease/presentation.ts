import type { Lease } from "../../../../api/generated/coordination-v1.ts";
import { ageOf, textOrEmpty } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const leaseTable: TableDescription<Lease> = {
  columns: [nameColumn, column("Holder", "The identity of the holder."), ageColumn],
  cells: (lease, now) => [lease.metadata.name, textOrEmpty(lease.spec?.holderIdentity), ageOf(lease, now)],
};

const leaseDescriptions: TypeDescriptions = {
  "coordination.v1.Lease": {
    about: "Records which process holds a lock or is the leader, and until when.",
  },
  "coordination.v1.LeaseSpec": {
    fields: {
      holderIdentity: "The identity of the holder.",
      leaseDurationSeconds: "How long the lease is valid without renewal.",
      acquireTime: "When the lease was acquired.",
      renewTime: "When it was last renewed.",
      leaseTransitions: "How often the holder changed.",
    },
  },
};

export const leasePresentation: KindPresentation = { table: leaseTable, descriptions: leaseDescriptions };
