import { messageOf } from "../../api/message-of.ts";
import { compileLabelSelector } from "../../api/labels/compile-label-selector.ts";
import { formatLabelSelection } from "../../api/labels/label-selector.ts";
import { isReady } from "../../api/pod-state.ts";
import { deployments, pods, replicaSets } from "../../api/resources.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Headers } from "../../picker/transport/transport.ts";
import type { Command } from "../command.ts";
import { findConnection } from "../connection/find-connection.ts";
import type { CheckSettings } from "./picker-check-settings.ts";
import { clientOf } from "../connection/run-on-cluster.ts";

export type FoundCandidates =
  | {
      readonly ok: true;
      readonly candidates: readonly string[];
      /** Whose Pods they are, as the controller says. */
      readonly workload: Headers;
    }
  | { readonly ok: false; readonly problem: string };

const invented = ["web-7d9f8b6c5-2xk4m", "web-7d9f8b6c5-8fj2p", "web-7d9f8b6c5-lq9zd", "web-7d9f8b6c5-w5t7n"];

/** The Pods to ask about: the given ones, those of a workload, or invented ones. */
export async function findCandidates(
  settings: CheckSettings,
  options: { readonly command: Command; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<FoundCandidates> {
  const { candidates = invented, workload, namespace = "default" } = settings;
  if (workload === undefined)
    return { ok: true, candidates, workload: headersOf(namespace, { kind: "Deployment", name: "web" }) };
  const found = findConnection(settings, process.env);
  if (!found.ok) return { ok: false, problem: found.errors.join("; ") };
  const { connection } = found;
  const client = await clientOf(connection, options);
  const place = settings.namespace ?? connection.namespace;
  try {
    const names = await podsOf(client, { ...workload, namespace: place }, options.signal);
    return names.length < 2
      ? {
          ok: false,
          problem: `${workload.kind}/${workload.name} has ${names.length} ready Pods: a picker is asked about at least two`,
        }
      : { ok: true, candidates: names, workload: headersOf(place, workload) };
  } catch (error) {
    return { ok: false, problem: `${connection.server}: ${messageOf(error)}` };
  } finally {
    await client.close();
  }
}

function headersOf(
  namespace: string,
  { kind, name }: { readonly kind: string; readonly name: string },
): Headers {
  return [
    ["trimtab-namespace", namespace],
    ["trimtab-workload", `${kind}/${name}`],
  ];
}

/** The Pods that a picker would be asked about: assigned and ready. */
async function podsOf(
  client: Client,
  { kind, namespace, name }: { readonly kind: string; readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const owner =
    kind === "Deployment"
      ? await client.get(deployments, { namespace, name }, signal)
      : await client.get(replicaSets, { namespace, name }, signal);
  const selector = compileLabelSelector(owner.spec.selector);
  if (!selector.ok) throw new Error(`the selector of ${kind}/${name} is not valid`);
  const labelSelector = formatLabelSelection(selector.selection);
  const { items } = await client.list(pods, { namespace, labelSelector }, signal);
  return items
    .filter(
      (pod) =>
        isReady(pod) && pod.spec.nodeName !== undefined && pod.metadata.deletionTimestamp === undefined,
    )
    .map(({ metadata }) => metadata.name);
}
