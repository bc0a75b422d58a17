import type { IPAddress } from "../../../../api/generated/networking-v1.ts";
import { ageOf, noneText } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type TableDescription,
  type Unchecked,
} from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

const ipAddressTable: TableDescription<Unchecked<IPAddress>> = {
  columns: [nameColumn, column("ParentRef", "The object that has the address."), ageColumn],
  cells(address, now) {
    const { group = "", resource = "", namespace = "", name = "" } = address.spec?.parentRef ?? {};
    const where = [[resource, group].filter(Boolean).join("."), namespace, name].filter(Boolean).join("/");
    return [address.metadata.name, where || noneText, ageOf(address, now)];
  },
};

export const ipAddressPresentation: KindPresentation = {
  table: ipAddressTable,
  descriptions: {
    "networking.v1.IPAddress": {
      about: "An allocated IP address. Stored here, not run.",
    },
  },
};
