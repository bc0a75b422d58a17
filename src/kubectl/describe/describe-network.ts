import { compareText } from "../../api/compare-text.ts";
import type { Json, JsonObject } from "../../api/json.ts";
import { at, listAt, mapAt, numberAt, textAt } from "../selection/kube-object.ts";
import { annotationLines, headLines, type Lines, optional, pairLines, pairsText } from "./describe-lines.ts";

const joined = (value: Json | undefined, none = "<none>") => {
  const texts = (value ?? []) as readonly string[];
  return texts.length === 0 ? none : texts.join(",");
};

/** Describes a Service with the EndpointSlices behind it. */
export function serviceLines(service: JsonObject, slices: readonly JsonObject[]): Lines {
  const spec = (name: string) => at(service, "spec", name);
  return [
    ...headLines(service),
    `Selector:\t${pairsText(mapAt(service, "spec", "selector"))}`,
    `Type:\t${textAt(service, "spec", "type")}`,
    ...optional("IP Family Policy", spec("ipFamilyPolicy")),
    `IP Families:\t${joined(spec("ipFamilies"))}`,
    `IP:\t${textAt(service, "spec", "clusterIP")}`,
    `IPs:\t${joined(spec("clusterIPs"))}`,
    ...optional("External IPs", joined(spec("externalIPs"), "")),
    ...optional("Desired LoadBalancer IP", spec("loadBalancerIP")),
    ...optional("External Name", spec("externalName")),
    ...optional(
      "LoadBalancer Ingress",
      listAt(service, "status", "loadBalancer", "ingress").map(ingressText).join(", "),
    ),
    ...listAt(service, "spec", "ports").flatMap((port) => portLines(port, slices)),
    `Session Affinity:\t${textAt(service, "spec", "sessionAffinity")}`,
    ...optional("External Traffic Policy", spec("externalTrafficPolicy")),
    ...optional("Internal Traffic Policy", spec("internalTrafficPolicy")),
    ...optional("HealthCheck NodePort", spec("healthCheckNodePort")),
    ...optional("LoadBalancer Source Ranges", joined(spec("loadBalancerSourceRanges"), "")),
    ...optional("Traffic Distribution", spec("trafficDistribution")),
  ];
}

function ingressText(ingress: JsonObject): string {
  const [address, mode] = [textAt(ingress, "ip"), textAt(ingress, "ipMode")];
  if (address === "") return textAt(ingress, "hostname");
  return mode === "" ? address : `${address} (${mode})`;
}

function portLines(port: JsonObject, slices: readonly JsonObject[]): Lines {
  const name = textAt(port, "name") || "<unset>";
  const protocol = textAt(port, "protocol");
  const nodePort = numberAt(port, "nodePort") ?? 0;
  return [
    `Port:\t${name}\t${textAt(port, "port")}/${protocol}`,
    `TargetPort:\t${textAt(port, "targetPort")}/${protocol}`,
    ...optional("AppProtocol", at(port, "appProtocol")),
    ...(nodePort === 0 ? [] : [`NodePort:\t${name}\t${nodePort}/${protocol}`]),
    `Endpoints:\t${endpointsText(slices, textAt(port, "name"))}`,
  ];
}

const mostEndpoints = 3;

/** The ready endpoints of a port, three of them. */
export function endpointsText(slices: readonly JsonObject[], portName: string): string {
  if (slices.length === 0) return "<none>";
  const all = slices.flatMap((slice) => endpointsIn(slice, portName));
  const shown = all.slice(0, mostEndpoints).join(",");
  return all.length > mostEndpoints ? `${shown} + ${all.length - mostEndpoints} more...` : shown;
}

function endpointsIn(slice: JsonObject, portName: string): readonly string[] {
  const ports = listAt(slice, "ports");
  const addresses = listAt(slice, "endpoints")
    .filter((each) => at(each, "conditions", "ready") !== false)
    .map((each) => ((each["addresses"] ?? []) as readonly string[])[0] ?? "");
  if (ports.length === 0) return addresses;
  const named = ports.filter((port) => textAt(port, "name") === portName);
  return named.flatMap((port) =>
    addresses.map((address) => `${address.includes(":") ? `[${address}]` : address}:${textAt(port, "port")}`),
  );
}

/** What the backends of an Ingress are, by the names of their Services. */
export type BackendText = (backend: Json) => string;

export function ingressLines(ingress: JsonObject, backendText: BackendText): Lines {
  const given = at(ingress, "spec", "defaultBackend");
  const defaultBackend = given === undefined ? "<default>" : backendText(given);
  const rules = listAt(ingress, "spec", "rules").filter((rule) => at(rule, "http") !== undefined);
  const addresses = listAt(ingress, "status", "loadBalancer", "ingress").map(
    (each) => textAt(each, "ip") || textAt(each, "hostname"),
  );
  return [
    `Name:\t${textAt(ingress, "metadata", "name")}`,
    ...pairLines("Labels", mapAt(ingress, "metadata", "labels")),
    `Namespace:\t${textAt(ingress, "metadata", "namespace")}`,
    `Address:\t${[...new Set(addresses)].toSorted(compareText).join(",")}`,
    `Ingress Class:\t${textAt(ingress, "spec", "ingressClassName") || "<none>"}`,
    `Default backend:\t${defaultBackend}`,
    ...tlsLines(listAt(ingress, "spec", "tls")),
    "Rules:",
    "  Host\tPath\tBackends",
    "  ----\t----\t--------",
    ...rules.flatMap((rule) => ruleLines(rule, backendText)),
    ...(rules.length === 0 ? [`  *\t*\t${defaultBackend}`] : []),
    ...annotationLines("Annotations", mapAt(ingress, "metadata", "annotations")),
  ];
}

function tlsLines(tls: readonly JsonObject[]): Lines {
  if (tls.length === 0) return [];
  return [
    "TLS:",
    ...tls.map((each) => {
      const [secret, hosts] = [
        textAt(each, "secretName"),
        ((each["hosts"] ?? []) as readonly string[]).join(","),
      ];
      return secret === "" ? `  SNI routes ${hosts}` : `  ${secret} terminates ${hosts}`;
    }),
  ];
}

function ruleLines(rule: JsonObject, backendText: BackendText): Lines {
  return [
    `  ${textAt(rule, "host") || "*"}\t`,
    ...listAt(rule, "http", "paths").map(
      (path) => `    \t${textAt(path, "path")} \t${backendText(at(path, "backend") ?? null)}`,
    ),
  ];
}

/** `web:http`, or `web:80`. */
export function serviceBackendText(backend: Json): string {
  const port = textAt(backend, "service", "port", "name") || textAt(backend, "service", "port", "number");
  return `${textAt(backend, "service", "name")}:${port}`;
}

export function endpointLines(endpoints: JsonObject): Lines {
  const addresses = (subset: JsonObject, name: string) =>
    listAt(subset, name)
      .map((each) => textAt(each, "ip"))
      .join(",") || "<none>";
  return [
    ...headLines(endpoints),
    "Subsets:",
    ...listAt(endpoints, "subsets").flatMap((subset) => [
      `  Addresses:\t${addresses(subset, "addresses")}`,
      `  NotReadyAddresses:\t${addresses(subset, "notReadyAddresses")}`,
      ...subsetPorts(listAt(subset, "ports")),
      "",
    ]),
  ];
}

function subsetPorts(ports: readonly JsonObject[]): Lines {
  if (ports.length === 0) return [];
  return [
    "  Ports:",
    "    Name\tPort\tProtocol",
    "    ----\t----\t--------",
    ...ports.map(
      (port) =>
        `    ${textAt(port, "name") || "<unset>"}\t${textAt(port, "port")}\t${textAt(port, "protocol")}`,
    ),
  ];
}
