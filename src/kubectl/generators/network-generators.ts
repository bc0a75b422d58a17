import type { JsonObject } from "../../api/json.ts";
import { failure } from "../command-failure.ts";
import type { Context } from "../context.ts";
import type { LineFlags } from "../line/flag.ts";
import { numberOrText } from "./configuration-generators.ts";
import type { Generator } from "./generator.ts";

const tcpFlag: LineFlags = { tcp: { type: "list" } };

/** The ports of `--tcp=PORT:TARGET`. */
function portsOf(context: Context): readonly JsonObject[] {
  return context.list("tcp").map((text) => {
    const [port = "", target] = text.split(":");
    if (!/^\d+$/.test(port)) throw failure(`invalid port format ${JSON.stringify(text)}`);
    const nodePort = context.text("node-port");
    return {
      name: text.replace(":", "-"),
      protocol: "TCP",
      port: Number(port),
      targetPort: numberOrText(target ?? port),
      ...(nodePort !== "" && nodePort !== "0" && { nodePort: Number(nodePort) }),
    };
  });
}

function service(type: string, more: (context: Context) => JsonObject = () => ({})): Generator["build"] {
  return (context, name) => {
    const ports = portsOf(context);
    return {
      kind: "Service",
      apiVersion: "v1",
      metadata: { name, labels: { app: name } },
      spec: { ...(ports.length > 0 && { ports }), selector: { app: name }, type, ...more(context) },
      status: { loadBalancer: {} },
    };
  };
}

export const serviceGenerators: Readonly<Record<string, Generator>> = {
  clusterip: {
    summary: "Create a ClusterIP service",
    failing: "failed to create ClusterIP service",
    flags: { ...tcpFlag, clusterip: { type: "string" } },
    build: service("ClusterIP", (context) => {
      const address = context.text("clusterip");
      return address === "" ? {} : { clusterIP: address };
    }),
  },
  nodeport: {
    summary: "Create a NodePort service",
    failing: "failed to create NodePort service",
    flags: { ...tcpFlag, "node-port": { type: "string" } },
    build: service("NodePort"),
  },
  loadbalancer: {
    summary: "Create a LoadBalancer service",
    failing: "failed to create LoadBalancer service",
    flags: tcpFlag,
    build: service("LoadBalancer"),
  },
  externalname: {
    summary: "Create an ExternalName service",
    failing: "failed to create ExternalName service",
    required: ["external-name"],
    flags: { ...tcpFlag, "external-name": { type: "string" } },
    build: service("ExternalName", (context) => ({ externalName: context.text("external-name") })),
  },
};

const ingress: Generator = {
  summary: "Create an ingress with the specified name",
  aliases: ["ing"],
  failing: "failed to create ingress",
  flags: { rule: { type: "array" }, class: { type: "string" } },
  build(context, name) {
    const rules = context.list("rule").map(ruleOf);
    const className = context.text("class");
    return {
      kind: "Ingress",
      apiVersion: "networking.k8s.io/v1",
      metadata: { name },
      spec: { ...(className !== "" && { ingressClassName: className }), rules },
      status: { loadBalancer: {} },
    };
  },
};

/** Reads `host/path=service:port`; a path that ends in `*` is a prefix. */
function ruleOf(text: string): JsonObject {
  const [, host, path, serviceName, port] = /^([^/=]*)(\/[^=]*)?=([^:]+):([^,]+)/.exec(text) ?? [];
  if (serviceName === undefined || port === undefined)
    throw failure(`rule ${text} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`);
  const isPrefix = path === undefined || path.endsWith("*");
  const number = numberOrText(port);
  const backend = {
    service: { name: serviceName, port: typeof number === "number" ? { number } : { name: number } },
  };
  const shown = path === undefined ? "/" : path.replace(/\*$/, "");
  return {
    ...(host !== "" && { host }),
    http: { paths: [{ path: shown === "" ? "/" : shown, pathType: isPrefix ? "Prefix" : "Exact", backend }] },
  };
}

export const ingressGenerators = { ingress };
