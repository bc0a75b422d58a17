import type { EndpointPort, EndpointSlice } from "../../../../api/generated/discovery-v1.ts";
import { ageOf, firstOf, unset } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const endpointSliceTable: TableDescription<EndpointSlice> = {
  columns: [
    nameColumn,
    column("AddressType", "The type of the addresses."),
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
  return firstOf(texts, 3) || unset;
}

const endpointSliceDescriptions: TypeDescriptions = {
  "discovery.v1.EndpointSlice": {
    about: "Some of the addresses behind a Service.",
    fields: {
      addressType: "IPv4, IPv6 or FQDN.",
      endpoints: "The addresses, and whether they are ready.",
      ports: "The ports of all of them.",
    },
  },
};

export const endpointSlicePresentation: KindPresentation = {
  table: endpointSliceTable,
  descriptions: endpointSliceDescriptions,
};
