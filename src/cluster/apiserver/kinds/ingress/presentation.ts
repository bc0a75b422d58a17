import type { Ingress, IngressRule } from "../../../../api/generated/networking-v1.ts";
import { ageOf, orNone } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const ingressTable: TableDescription<Ingress> = {
  columns: [
    nameColumn,
    column("Class", "The IngressClass that implements it."),
    column("Hosts", "The host names it is for."),
    column("Address", "Where it can be reached."),
    column("Ports", "Its ports: 443 only with TLS."),
    ageColumn,
  ],

  cells: (ingress, now) => [
    ingress.metadata.name,
    orNone(ingress.spec.ingressClassName),
    hostsOf(ingress.spec.rules ?? []),
    addressOf(ingress),
    (ingress.spec.tls ?? []).length > 0 ? "80, 443" : "80",
    ageOf(ingress, now),
  ],
};

const maxHosts = 3;

/** upstream: the number behind a list that is cut counts rules, not hosts. */
function hostsOf(rules: readonly IngressRule[]): string {
  const hosts = rules.flatMap(({ host = "" }) => (host === "" ? [] : [host]));
  if (hosts.length === 0) return "*";
  const shown = hosts.slice(0, maxHosts).join(",");
  return hosts.length > maxHosts ? `${shown} + ${rules.length - maxHosts} more...` : shown;
}

function addressOf({ status }: Ingress): string {
  const given = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || "");
  return [...new Set(given.filter((address) => address !== ""))].sort().join(",");
}

const ingressDescriptions: TypeDescriptions = {
  "networking.v1.Ingress": {
    about: "Leads requests from outside to Services. Stored here, not run.",
  },
  "networking.v1.IngressSpec": {
    fields: {
      ingressClassName: "The IngressClass that implements it.",
      defaultBackend: "Where requests go that no rule is for.",
      rules: "Where requests go, by host and path.",
      tls: "The hosts that are served over TLS.",
    },
  },
};

export const ingressPresentation: KindPresentation = {
  table: ingressTable,
  descriptions: ingressDescriptions,
};
