import { isNotFound } from "../../machinery/client/api-error.ts";
import { compareText } from "../../api/compare-text.ts";
import { messageOf } from "../../api/message-of.ts";
import { failure, usageFailure } from "../command-failure.ts";
import type { Context } from "../context.ts";
import { describedSelector } from "../describe/describe-lines.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import type { LineFlags } from "../line/flag.ts";
import { fetchTargets, listObjects, targetsOf } from "../selection/fetch-objects.ts";
import { findType } from "../selection/find-type.ts";
import { at, type KubeObject, listAt, mapAt, textAt } from "../selection/kube-object.ts";
import { nothingSelected } from "../selection/targets.ts";
import { resourcePath } from "../server/discovery.ts";
import type { Query } from "../server/server.ts";
import { linesOf } from "../server/watch-events.ts";
import { timeLimitOf } from "../waiting/time-limit.ts";

const flags: LineFlags = {
  selector: { type: "string", short: "l" },
  container: { type: "string", short: "c" },
  follow: { type: "boolean", short: "f" },
  previous: { type: "boolean", short: "p" },
  tail: { type: "string", default: "-1" },
  timestamps: { type: "boolean" },
  since: { type: "string" },
  "since-time": { type: "string" },
  "limit-bytes": { type: "string" },
  prefix: { type: "boolean" },
  "all-containers": { type: "boolean" },
  "all-pods": { type: "boolean" },
  "ignore-errors": { type: "boolean" },
  "max-log-requests": { type: "string" },
};

/** `kubectl logs`. */
export const logs: KubectlCommand = {
  summary: "Print the logs for a container in a pod",
  operands: "pods",
  flags,
  async run(context) {
    const [first, container] = context.operands;
    const isSelected = context.text("selector") !== "";
    if (first === undefined && !isSelected)
      throw usageFailure(
        "logs",
        "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command",
      );
    const pods =
      first === undefined
        ? await selectedPods(context, context.text("selector"))
        : [await podNamed(context, first)];
    if (pods.length === 0) context.io.err(`No resources found in ${context.namespace} namespace.\n`);
    const streams = pods.flatMap((pod) =>
      containersOf(context, pod, container).map((name) => ({ pod, name })),
    );
    const query = queryOf(context, isSelected);
    const printed = streams.map((stream) => () => printLog(context, stream, query));
    if (context.isOn("follow")) await Promise.all(printed.map((print) => print()));
    else for (const print of printed) await print();
  },
};

async function selectedPods(context: Context, labelSelector: string): Promise<readonly KubeObject[]> {
  const resource = findType(await context.server.resources(), "pods");
  return listObjects(context, { resource, namespace: context.namespace, query: { labelSelector } });
}

/** The Pod of a name, or the first of a workload that has several. */
async function podNamed(context: Context, word: string): Promise<KubeObject> {
  const targets = await targetsOf(context, [word.includes("/") ? word : `pod/${word}`], nothingSelected);
  const { items, errors } = await fetchTargets(context, targets);
  const [found] = items;
  if (found === undefined) {
    const [error] = errors;
    throw isNotFound(error)
      ? failure(
          `error from server (NotFound): ${messageOf(error)} in namespace ${JSON.stringify(context.namespace)}`,
        )
      : error;
  }
  if (found.resource.kind === "Pod") return found.object;
  const selector = at(found.object, "spec", "selector");
  const text =
    found.resource.kind === "Service"
      ? describedSelector({ matchLabels: selector ?? {} })
      : describedSelector(selector);
  const pods = await selectedPods(context, text);
  const [pod] = pods.toSorted(byReadiness);
  if (pod === undefined) throw failure("timed out waiting for the condition");
  if (pods.length > 1) context.io.err(`Found ${pods.length} pods, using pod/${pod.metadata.name}\n`);
  return pod;
}

/** Running Pods come first, then those that have been ready for longest. */
function byReadiness(one: KubeObject, other: KubeObject): number {
  const [a, b] = [readinessKey(one), readinessKey(other)];
  return compareText(a, b);
}

function readinessKey(pod: KubeObject): string {
  const ready = listAt(pod, "status", "conditions").find(
    ({ type, status }) => type === "Ready" && status === "True",
  );
  const isRunning = textAt(pod, "status", "phase") === "Running";
  return [
    isRunning ? 0 : 1,
    textAt(ready, "lastTransitionTime") || "~",
    textAt(pod, "metadata", "creationTimestamp"),
  ].join(" ");
}

const containerFields = ["initContainers", "containers", "ephemeralContainers"];

/** The containers whose logs are printed. */
function containersOf(context: Context, pod: KubeObject, operand: string | undefined): readonly string[] {
  const named = (field: string) => listAt(pod, "spec", field).map((each) => textAt(each, "name"));
  const all = containerFields.flatMap(named);
  if (context.isOn("all-containers")) return all;
  const given = operand ?? context.text("container");
  if (given !== "") {
    if (!all.includes(given)) throw failure(`container ${given} is not valid for pod ${pod.metadata.name}`);
    return [given];
  }
  const chosen = mapAt(pod, "metadata", "annotations")["kubectl.kubernetes.io/default-container"];
  const name = chosen !== undefined && all.includes(chosen) ? chosen : (named("containers")[0] ?? "");
  if (all.length > 1 && name !== chosen) {
    const others = [
      ...named("containers"),
      ...named("initContainers").map((each) => `${each} (init)`),
      ...named("ephemeralContainers").map((each) => `${each} (ephem)`),
    ];
    context.io.err(`Defaulted container ${JSON.stringify(name)} out of: ${others.join(", ")}\n`);
  }
  return [name];
}

/** The lines of each Pod that a selector matches, unless another number is asked for. */
const selectedTail = 10;

function queryOf(context: Context, isSelected: boolean): Query {
  const tail = Number(context.text("tail"));
  const lines = isSelected && !context.isGiven("tail") ? selectedTail : tail;
  const since = context.text("since");
  const text = (flag: string, name: string) =>
    context.text(flag) === "" ? {} : { [name]: context.text(flag) };
  const on = (flag: string) => (context.isOn(flag) ? { [flag]: true } : {});
  return {
    ...on("follow"),
    ...on("previous"),
    ...on("timestamps"),
    ...(lines >= 0 && { tailLines: lines }),
    ...(since !== "" && { sinceSeconds: Math.ceil(timeLimitOf(since, "since") / 1000) }),
    ...text("since-time", "sinceTime"),
    ...text("limit-bytes", "limitBytes"),
  };
}

async function printLog(
  context: Context,
  { pod, name }: { readonly pod: KubeObject; readonly name: string },
  query: Query,
): Promise<void> {
  const resource = findType(await context.server.resources(), "pods");
  const path = resourcePath(resource, {
    namespace: pod.metadata.namespace,
    name: pod.metadata.name,
    subresource: "log",
  });
  const prefix = context.isOn("prefix") ? `[pod/${pod.metadata.name}/${name}] ` : "";
  const { body } = await context.server.stream(path, { ...query, container: name });
  try {
    for await (const line of linesOf(body)) context.io.out(`${prefix}${line}\n`);
  } catch (error) {
    if (!context.io.signal.aborted) throw error;
  }
}
