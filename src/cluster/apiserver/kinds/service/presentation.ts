import type { Service, ServicePort } from "../../../../api/generated/core-v1.ts";
import { ageOf, labelMapText, noneText, orNone, textOrEmpty, unknown } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type TableDescription,
  wideColumn,
} from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const serviceTable: TableDescription<Service> = {
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
      textOrEmpty(spec.type),
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
  switch (textOrEmpty(spec.type)) {
    case "ClusterIP":
    case "NodePort":
      return orNone(own.join(","));
    case "LoadBalancer": {
      const ingress = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || "");
      const given = [...new Set(ingress.filter((address) => address !== ""))].sort();
      return [...given, ...own].join(",") || "<pending>";
    }
    case "ExternalName":
      return spec.externalName ?? noneText;
    default:
      return unknown;
  }
}

function portText({ port, nodePort, protocol = "TCP" }: ServicePort): string {
  return nodePort === undefined || nodePort === 0 ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`;
}

const serviceDescriptions: TypeDescriptions = {
  "core.v1.Service": {
    about: "One address for a changing set of Pods.",
  },
  "core.v1.ServiceSpec": {
    fields: {
      selector: "Which Pods get the traffic, by exact labels.",
      ports: "The ports of the Service.",
      type: "ClusterIP, NodePort, LoadBalancer or ExternalName.",
      clusterIP: "The address inside the cluster; None for a headless Service.",
      clusterIPs: "All addresses inside the cluster.",
      externalIPs: "Further addresses of the Service.",
      externalName: "The DNS name that an ExternalName Service is an alias of.",
      sessionAffinity: "Whether requests of one client go to the same Pod.",
      publishNotReadyAddresses: "Whether Pods that are not ready get traffic, too.",
      internalTrafficPolicy: "Whether traffic from inside stays on its node.",
      externalTrafficPolicy: "Whether traffic from outside stays on its node.",
    },
  },
  "core.v1.ServicePort": {
    fields: {
      name: "The port's name; required when there are several.",
      port: "The port of the Service.",
      targetPort: "The port of the Pods, by number or name.",
      nodePort: "The port of the nodes that is forwarded to the Service.",
      protocol: "TCP, UDP or SCTP.",
    },
  },
};

export const servicePresentation: KindPresentation = {
  table: serviceTable,
  descriptions: serviceDescriptions,
};
