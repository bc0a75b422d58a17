import { networkTables } from "./network-tables.cases.ts";
import { nodeTables } from "./node-tables.cases.ts";
import { policyTables } from "./policy-tables.cases.ts";
import { storageTables } from "./storage-tables.cases.ts";
import { workloadTables } from "./workload-tables.cases.ts";
import type { TableCase } from "./table-case.cases.ts";

/** Objects of every kind, and the cells of their rows. */
export const tableCases: readonly TableCase[] = [
  ...workloadTables,
  ...networkTables,
  ...storageTables,
  ...policyTables,
  ...nodeTables,
];
