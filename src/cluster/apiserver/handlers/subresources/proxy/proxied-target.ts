import type { Pod, Service } from "../../../../../api/generated/core-v1.ts";
import { compileLabelMap } from "../../../../../api/labels/compile-label-selector.ts";
import { matchesLabels } from "../../../../../api/labels/label-selector.ts";
import { isBeingDeleted } from "../../../../../api/object.ts";
import { isReady } from "../../../../../api/pod-state.ts";
import { simulationPrefix } from "../../../../kubelet/behaviour/simulation-prefix.ts";
import type { ApiRequest } from "../../../request/api-request.ts";
import type { ServerContext } from "../../../server-context.ts";
import { badRequest, serviceUnavailable } from "../../../status-errors.ts";
import { getStored } from "../../../storage/stored-object.ts";

/** The target of a proxied request: a simulated Pod, or a program on this machine. */
export type ProxiedTarget =
  | { readonly by: "pod"; readonly pod: Pod }
  | { readonly by: "loopback"; readonly host: string; readonly port: number };

/** Finds the target for a Pod or a Service; throws 404 when there is no such object, 503 when it has no target. */
export function proxiedTarget(context: ServerContext, request: ApiRequest): ProxiedTarget {
  const { name, port } = nameAndPort(request.name ?? "");
  const { object } = getStored(context, { ...request, name });
  if (request.resource.plural === "pods") return podTarget(object as unknown as Pod);
  return serviceTarget(context, object as unknown as Service, port);
}

/** Parses the name in a path: `NAME`, `NAME:PORT` or `SCHEME:NAME:PORT`. */
function nameAndPort(text: string): { readonly name: string; readonly port: string } {
  const parts = text.split(":");
  if (parts.length > 3) throw badRequest(`invalid proxy name ${JSON.stringify(text)}`);
  const [name = "", port = ""] = parts.length === 3 ? parts.slice(1) : parts;
  return { name, port };
}

function podTarget(pod: Pod): ProxiedTarget {
  const { namespace = "", name } = pod.metadata;
  const target = annotatedTarget(pod.metadata.annotations);
  if (pod.status?.phase !== "Running")
    throw serviceUnavailable(`error trying to reach service: pod ${namespace}/${name} is not running`);
  return target ?? { by: "pod", pod };
}

function serviceTarget({ store }: ServerContext, service: Service, port: string): ProxiedTarget {
  const { metadata, spec } = service;
  const { name, namespace } = metadata;
  const isKnown =
    port === "" || (spec.ports ?? []).some((each) => each.name === port || String(each.port) === port);
  if (!isKnown)
    throw serviceUnavailable(
      `no service port ${JSON.stringify(port)} found for service ${JSON.stringify(name)}`,
    );
  const target = annotatedTarget(metadata.annotations);
  if (target !== undefined) return target;
  const selection = compileLabelMap(spec.selector);
  for (const { object } of store.collection("pods").records({ namespace })) {
    const pod = object as unknown as Pod;
    if (spec.selector !== undefined && matchesLabels(selection, pod.metadata.labels) && serves(pod))
      return podTarget(pod);
  }
  throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(name)}`);
}

const serves = (pod: Pod) => isReady(pod) && !isBeingDeleted(pod);

/**
 * Returns the program on this machine that an annotation names. Only loopback is allowed: addresses that a Pod
 * advertises are never dialled.
 */
function annotatedTarget(
  annotations: Readonly<Record<string, string>> | undefined,
): ProxiedTarget | undefined {
  const text = annotations?.[`${simulationPrefix}endpoint`];
  if (text === undefined) return undefined;
  const [, host = "", port = ""] = /^(127(?:\.\d{1,3}){3}|\[::1\]|localhost):(\d{1,5})$/.exec(text) ?? [];
  if (host === "" || Number(port) < 1 || Number(port) > 65_535)
    throw serviceUnavailable(
      `error trying to reach service: ${simulationPrefix}endpoint is ${JSON.stringify(text)}, which is no loopback address with a port`,
    );
  const address = host === "localhost" ? "127.0.0.1" : host.replaceAll(/[[\]]/g, "");
  return { by: "loopback", host: address, port: Number(port) };
}
