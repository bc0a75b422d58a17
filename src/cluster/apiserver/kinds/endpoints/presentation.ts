import type { Endpoints, EndpointSubset } from "../../../../api/generated/core-v1.ts";
import { ageOf, firstOf, noneText } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const endpointsTable: TableDescription<Endpoints> = {
  columns: [nameColumn, column("Endpoints", "The addresses that take traffic."), ageColumn],
  cells(endpoints, now) {
    const subsets = endpoints.subsets ?? [];
    const text = subsets.length === 0 ? noneText : firstOf(subsets.flatMap(subsetAddresses), 3);
    return [endpoints.metadata.name, text, ageOf(endpoints, now)];
  },
};

function subsetAddresses({ addresses = [], ports = [] }: EndpointSubset): readonly string[] {
  const ips = addresses.map(({ ip }) => ip);
  // A headless Service may have no ports.
  if (ports.length === 0) return ips;
  return ports.flatMap(({ port }) =>
    ips.map((ip) => (ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`)),
  );
}

const endpointsDescriptions: TypeDescriptions = {
  "core.v1.Endpoints": {
    about: "The addresses behind a Service in one object. Superseded by EndpointSlice.",
  },
};

export const endpointsPresentation: KindPresentation = {
  table: endpointsTable,
  descriptions: endpointsDescriptions,
};
