import type { JsonObject } from "../../api/json.ts";
import { mirrorAnnotation } from "../../api/pod-state.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import { CommandFailure, throwAll } from "../command-failure.ts";
import { type Context, say } from "../context.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { dryRunFlags } from "../line/common-flags.ts";
import { type DryRunMode, dryRunOf, dryRunSuffix } from "../line/dry-run.ts";
import { type Item, listObjects } from "../selection/fetch-objects.ts";
import { findType } from "../selection/find-type.ts";
import { at, type KubeObject, listAt, mapAt, textAt } from "../selection/kube-object.ts";
import { type ApiResource, resourcePath } from "../server/discovery.ts";
import { timeLimitOf, TimedOut, withinTime } from "../waiting/time-limit.ts";
import { untilGone } from "../waiting/wait-for-deletion.ts";
import { cordonNode, namedNodes } from "./cordon.ts";

/** `kubectl drain`. */
export const drain: KubectlCommand = {
  summary: "Drain node in preparation for maintenance",
  operands: "nodes",
  flags: {
    ...dryRunFlags,
    selector: { type: "string", short: "l" },
    "pod-selector": { type: "string" },
    "ignore-daemonsets": { type: "boolean" },
    "delete-emptydir-data": { type: "boolean" },
    force: { type: "boolean" },
    "grace-period": { type: "string", default: "-1" },
    timeout: { type: "string", default: "0s" },
    "disable-eviction": { type: "boolean" },
    "skip-wait-for-delete-timeout": { type: "string", default: "0" },
    "chunk-size": { type: "string" },
  },
  async run(context) {
    const { items, errors } = await namedNodes(context);
    throwAll(errors);
    const dryRun = dryRunOf(context);
    for (const node of items) await cordonNode(context, node, { isCordoned: true, dryRun });
    const limit = timeLimitOf(context.text("timeout"), "timeout");
    for (const node of items)
      await withinTime(context, limit > 0 ? limit : undefined, (limited) =>
        drainNode(limited, node, dryRun),
      ).catch((error: unknown) => {
        const { name } = node.object.metadata;
        if (error instanceof TimedOut)
          throw new CommandFailure(
            unableToDrain(name, ["global timeout reached: ", durationText(limit)].join("")),
          );
        throw error;
      });
  },
};

const durationText = (limitMs: number) => `${limitMs / 1000}s`;

function unableToDrain(node: string, message: string): string {
  return `error: unable to drain node ${JSON.stringify(node)} due to error: ${message}, continuing command...\nThere are pending nodes to be drained:\n ${node}\n${message}`;
}

const messages = {
  daemonSet: "DaemonSet-managed Pods (use --ignore-daemonsets to ignore)",
  storage: "Pods with local storage (use --delete-emptydir-data to override)",
  unmanaged: "cannot delete Pods that declare no controller (use --force to override)",
} as const;

type Judgement =
  | { readonly kind: "evict" | "skip"; readonly warning?: string }
  | { readonly kind: "refuse"; readonly problem: string };

/** What is to be done with a Pod of a node that is drained. */
function judge(context: Context, pod: KubeObject): Judgement {
  if (mapAt(pod, "metadata", "annotations")[mirrorAnnotation] !== undefined) return { kind: "skip" };
  const hasEnded = ["Succeeded", "Failed"].includes(textAt(pod, "status", "phase"));
  if (hasEnded) return { kind: "evict" };
  const owner = listAt(pod, "metadata", "ownerReferences").find(({ controller }) => controller === true);
  if (textAt(owner, "kind") === "DaemonSet")
    return context.isOn("ignore-daemonsets")
      ? { kind: "skip", warning: "ignoring DaemonSet-managed Pods" }
      : { kind: "refuse", problem: messages.daemonSet };
  const hasStorage = listAt(pod, "spec", "volumes").some((volume) => at(volume, "emptyDir") !== undefined);
  if (hasStorage && !context.isOn("delete-emptydir-data"))
    return { kind: "refuse", problem: messages.storage };
  if (owner !== undefined) return { kind: "evict" };
  return context.isOn("force")
    ? { kind: "evict", warning: "deleting Pods that declare no controller" }
    : { kind: "refuse", problem: messages.unmanaged };
}

async function drainNode(context: Context, { object: node }: Item, dryRun: DryRunMode): Promise<void> {
  const { name } = node.metadata;
  const resource = findType(await context.server.resources(), "pods");
  const labelSelector = context.text("pod-selector");
  const query = { fieldSelector: `spec.nodeName=${name}`, ...(labelSelector !== "" && { labelSelector }) };
  const pods = await listObjects(context, { resource, namespace: "", query });
  const judged = pods.map((pod) => ({ pod, judgement: judge(context, pod) }));
  const problems = grouped(
    judged.flatMap(({ pod, judgement }) =>
      judgement.kind === "refuse" ? [[judgement.problem, pod] as const] : [],
    ),
  );
  if (problems.length > 0)
    throw refusal(
      name,
      problems.map((problem) => `cannot delete ${problem}`),
    );
  const warnings = grouped(
    judged.flatMap(({ pod, judgement }) =>
      judgement.kind !== "refuse" && judgement.warning !== undefined
        ? [[judgement.warning, pod] as const]
        : [],
    ),
  );
  if (warnings.length > 0) context.io.err(`Warning: ${warnings.join("; ")}\n`);
  const evicted = judged.filter(({ judgement }) => judgement.kind === "evict").map(({ pod }) => pod);
  await evictAll(context, { resource, pods: evicted, dryRun });
  say(context, `node/${name} drained${dryRunSuffix(dryRun)}`);
}

const placeOf = ({ metadata }: KubeObject) => `${metadata.namespace ?? ""}/${metadata.name}`;

/** `reason: pod, pod`, for each reason. */
function grouped(pairs: readonly (readonly [string, KubeObject])[]): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const [reason, pod] of pairs) byReason.set(reason, [...(byReason.get(reason) ?? []), placeOf(pod)]);
  return [...byReason].map(([reason, places]) => `${reason}: ${places.join(", ")}`);
}

function refusal(node: string, problems: readonly string[]): CommandFailure {
  const shown = problems.length === 1 ? problems.join("") : `[${problems.join(", ")}]`;
  return new CommandFailure(
    `error: unable to drain node ${JSON.stringify(node)} due to error: ${shown}, continuing command...\nThere are pending nodes to be drained:\n ${node}\n${problems.join("\n")}`,
  );
}

interface Evicting {
  readonly resource: ApiResource;
  readonly pods: readonly KubeObject[];
  readonly dryRun: DryRunMode;
}

async function evictAll(context: Context, { resource, pods, dryRun }: Evicting): Promise<void> {
  const seconds = Number(context.text("grace-period"));
  const deleteOptions = seconds >= 0 ? { gracePeriodSeconds: seconds } : {};
  for (const pod of pods) {
    say(context, `evicting pod ${placeOf(pod)}${dryRunSuffix(dryRun)}`);
    if (dryRun !== "client") await evict(context, { resource, pod, deleteOptions });
  }
  if (dryRun !== "none") return;
  for (const pod of pods) {
    await untilGone(context, { resource, object: pod });
    say(context, `pod/${pod.metadata.name} evicted`);
  }
}

const retryMs = 5000;

interface Eviction {
  readonly resource: ApiResource;
  readonly pod: KubeObject;
  readonly deleteOptions: JsonObject;
}

/** Asks again while a disruption budget forbids it. */
async function evict(context: Context, { resource, pod, deleteOptions }: Eviction): Promise<void> {
  const { name, namespace } = pod.metadata;
  const body = JSON.stringify({
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name, namespace },
    deleteOptions,
  });
  const path = resourcePath(resource, { namespace, name, subresource: "eviction" });
  for (;;) {
    try {
      await context.server.send({ method: "POST", path, contentType: "application/json", body });
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || (error.code !== 429 && error.code !== 404)) throw error;
      if (error.code === 404) return;
      context.io.err(
        `error when evicting pods/${JSON.stringify(name)} -n ${JSON.stringify(namespace ?? "")} (will retry after 5s): ${error.message}\n`,
      );
      await context.io.clock.sleep(retryMs, context.io.signal);
    }
  }
}
