import type { EndpointPort, EndpointSlice } from "../../../../api/generated/discovery-v1.ts";
import { ageOf } from "../../tables/age.ts";
import { firstOf } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";

export const endpointSliceTable: TableDescription<EndpointSlice> = {
  columns: [
    nameColumn,
    column("AddressType", "What the addresses are."),
    column("Ports", "The ports that take traffic."),
    column("Endpoints", "The addresses that take traffic."),
    ageColumn,
  ],
  cells: (slice, now) => [
    slice.metadata.name,
    slice.addressType,
    firstOrUnset((slice.ports ?? []).map(portText)),
    firstOrUnset((slice.endpoints ?? []).flatMap(({ addresses }) => addresses)),
    ageOf(slice, now),
  ],
};

function portText({ port, name }: EndpointPort): string {
  return String(port ?? (name || "*"));
}

function firstOrUnset(texts: readonly string[]): string {
  return firstOf(texts, 3) || "<unset>";
}
