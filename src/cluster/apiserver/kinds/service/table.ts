import type { Service, ServicePort } from "../../../../api/generated/core-v1.ts";
import { ageOf } from "../../tables/age.ts";
import { labelMapText, none, orNone, textOf, unknown } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type TableDescription,
  wideColumn,
} from "../../tables/table-description.ts";

export const serviceTable: TableDescription<Service> = {
  columns: [
    nameColumn,
    column("Type", "How the Service is exposed."),
    column("Cluster-IP", "The address inside the cluster; None for a headless Service."),
    column("External-IP", "The addresses outside the cluster."),
    column("Port(s)", "The ports, with the node port where there is one."),
    ageColumn,
    wideColumn("Selector", "Which Pods get the traffic, by their labels."),
  ],

  cells(service, now) {
    const { spec } = service;
    return [
      service.metadata.name,
      textOf(spec.type),
      orNone(spec.clusterIPs?.[0] ?? spec.clusterIP),
      externalAddress(service),
      orNone((spec.ports ?? []).map(portText).join(",")),
      ageOf(service, now),
      labelMapText(spec.selector),
    ];
  },
};

function externalAddress({ spec, status }: Service): string {
  const own = spec.externalIPs ?? [];
  switch (textOf(spec.type)) {
    case "ClusterIP":
    case "NodePort":
      return orNone(own.join(","));
    case "LoadBalancer": {
      const ingress = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || "");
      const given = [...new Set(ingress.filter((address) => address !== ""))].sort();
      return [...given, ...own].join(",") || "<pending>";
    }
    case "ExternalName":
      return spec.externalName ?? none;
    default:
      return unknown;
  }
}

function portText({ port, nodePort, protocol = "TCP" }: ServicePort): string {
  return nodePort === undefined || nodePort === 0 ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`;
}
