import type { APIService } from "../../../../api/generated/apiregistration-v1.ts";
import { ageOf } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

const apiServiceTable: TableDescription<APIService> = {
  columns: [
    nameColumn,
    column("Service", "The Service of the extension API server; Local: this server."),
    column("Available", "Whether the API can be used."),
    ageColumn,
  ],
  cells(apiService, now) {
    const { service } = apiService.spec;
    const by = service === undefined ? "Local" : `${service.namespace ?? ""}/${service.name ?? ""}`;
    return [apiService.metadata.name, by, availability(apiService), ageOf(apiService, now)];
  },
};

function availability({ status }: APIService): string {
  const found = status?.conditions?.find(({ type }) => type === "Available");
  if (found === undefined) return "Unknown";
  return found.status === "True" ? "True" : `${found.status} (${found.reason ?? ""})`;
}

export const apiServicePresentation: KindPresentation = {
  table: apiServiceTable,
  descriptions: {
    "apiregistration.v1.APIService": {
      about: "One version of an API group, and the server that has its objects.",
    },
    "apiregistration.v1.APIServiceSpec": {
      fields: {
        service:
          "The Service of the extension API server, which its annotation sim.trimtab.dev/endpoint locates; absent: this server has the objects.",
        group: "The API group.",
        version: "The version of the group.",
        insecureSkipTLSVerify: "Whether the certificate of the extension API server is not verified.",
        caBundle: "The authorities that may have signed the certificate of the extension API server.",
        groupPriorityMinimum: "Where clients find the group: a higher number comes first.",
        versionPriority: "Where clients find the version in its group: a higher number comes first.",
      },
    },
    "apiregistration.v1.ServiceReference": {
      fields: { port: "The port of the Service; 443 by default." },
    },
  },
};
