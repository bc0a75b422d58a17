import type { ServiceCIDR } from "../../../../api/generated/networking-v1.ts";
import { ageOf } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type TableDescription,
  type Unchecked,
} from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

const serviceCidrTable: TableDescription<Unchecked<ServiceCIDR>> = {
  columns: [nameColumn, column("CIDRs", "The address ranges."), ageColumn],
  cells: (range, now) => [range.metadata.name, (range.spec?.cidrs ?? []).join(","), ageOf(range, now)],
};

export const serviceCidrPresentation: KindPresentation = {
  table: serviceCidrTable,
  descriptions: {
    "networking.v1.ServiceCIDR": {
      about: "A range from which Services get their addresses. Stored here, not run.",
    },
  },
};
