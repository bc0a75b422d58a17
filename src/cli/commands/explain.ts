import { daemonSetText } from "../../decisions/explain/daemon-set-text.ts";
import { statefulSetText } from "../../decisions/explain/stateful-set-text.ts";
import { daemonPlacementText } from "../../decisions/explain/daemon-placement-text.ts";
import { placementText } from "../../decisions/explain/placement-text.ts";
import { rolloutText } from "../../decisions/explain/rollout-text.ts";
import { scaleDownText } from "../../decisions/explain/scale-down-text.ts";
import type { TextOptions } from "../../decisions/explain/text-table.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { type Command, type Invocation, reportErrors, type TypedWords } from "../command.ts";
import { flagText, typedFlags } from "../flags/flag-values.ts";
import { viewCluster, type ViewResult, viewSnapshot } from "../connection/cluster-view.ts";
import { explainObject, type Explained, type Explanation } from "../explain/explain-object.ts";
import {
  explainFlags,
  type ExplainSettings,
  readExplainSettings,
  topics,
} from "../explain/explain-settings.ts";
import { collectionOfKind, objectNames, topicKinds } from "../explain/object-argument.ts";
import {
  findInspectedCluster,
  type InspectedCluster,
  inspectionFlags,
} from "../connection/inspected-cluster.ts";
import { readClusterObjects, type ReadScope } from "../../simulation/snapshot/read-cluster-objects.ts";
import { printReport } from "../report-output.ts";
import { clientOf } from "../connection/run-on-cluster.ts";

/** Explains what would happen in a cluster; it only reads there. */
export const explain: Command = {
  name: "explain",
  summary: "Explain who a scale-down removes, where a Pod is placed, what a rollout waits for; only reads.",
  operands: "scale-down|placement|rollout OBJECT",
  operandChoices: topics,
  flags: explainFlags,
  completeOperand: completeObject,
  async run(invocation, terminal) {
    const read = readExplainSettings(invocation);
    if (!read.ok) return reportErrors(terminal, explain, read.problems);
    const { explained, notes } = await explainBy(read.settings, invocation.flags, terminal.interrupted);
    if (!explained.ok) return reportErrors(terminal, explain, explained.problems);
    const { explanation } = explained;
    printReport(explanation, {
      terminal,
      format: read.settings.output,
      text: (options) => explanationText(explanation, options),
    });
    for (const note of notes) terminal.err(`Note: ${note}`);
    return 0;
  },
};

/** The objects that may be explained, as `deployment/web`. */
async function completeObject(
  { operands, typed, current }: TypedWords,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const topic = topics.find((each) => each === operands[0]);
  if (topic === undefined || operands.length > 1) return [];
  const cluster = findInspectedCluster(typedFlags(typed, inspectionFlags));
  if (!cluster.ok) return [];
  const { connection, namespace } = cluster;
  const client = await clientOf(connection, { command: explain, clock: new WallClock() });
  try {
    const collections = topicKinds[topic].map(collectionOfKind);
    const read = await readClusterObjects(client, { namespace, collections, required: [] }, signal);
    return read.ok ? objectNames(read.objects, topic, current) : [];
  } finally {
    await client.close();
  }
}

/** An explanation, with notes about what could not be read. */
interface ExplainedWithNotes {
  readonly explained: Explained;
  readonly notes: readonly string[];
}

/** Explains from a snapshot, or from the cluster of the flags. */
async function explainBy(
  settings: ExplainSettings,
  flags: Invocation["flags"],
  signal: AbortSignal,
): Promise<ExplainedWithNotes> {
  if (settings.snapshot === undefined) {
    const cluster = findInspectedCluster(flags);
    return cluster.ok ? explainIn(cluster, settings, signal) : { explained: cluster, notes: [] };
  }
  const seen = viewSnapshot(settings.snapshot);
  if (!seen.ok) return { explained: seen, notes: [] };
  const namespace = flagText(flags, "namespace") || (seen.namespace ?? "default");
  return { explained: await explainObject(settings, { view: seen.view, namespace }), notes: [] };
}

async function explainIn(
  { connection, namespace }: Extract<InspectedCluster, { ok: true }>,
  settings: ExplainSettings,
  signal: AbortSignal,
): Promise<ExplainedWithNotes> {
  const clock = new WallClock();
  const client = await clientOf(connection, { command: explain, clock });
  try {
    const scope = scopeOf(settings, namespace);
    const seen: ViewResult = await viewCluster(client, { connection, scope }, signal);
    if (!seen.ok) return { explained: seen, notes: [] };
    const { view } = seen;
    const access = { ...settings.pickers, apiServer: () => connection.server };
    const ask = settings.asksPicker ? { ask: { client, clock, access, signal } } : {};
    return { explained: await explainObject(settings, { view, namespace, ...ask }), notes: view.notes };
  } finally {
    await client.close();
  }
}

/** Returns what a topic reads: only what it needs, so that narrow permissions are enough. */
function scopeOf({ topic, object, node }: ExplainSettings, namespace: string): ReadScope {
  const own = collectionOfKind(object?.kind ?? "Pod");
  if (own === "daemonSets") {
    const collections = ["daemonSets", "controllerRevisions", "nodes", "pods"] as const;
    // The scheduler looks at the Pods of all namespaces, and at what it preempts and where volumes are.
    if (node !== undefined)
      return { namespace, wide: ["pods", "podDisruptionBudgets"], required: collections };
    return { namespace, collections, required: collections };
  }
  if (own === "statefulSets" && topic !== "placement") {
    const required = ["statefulSets", "controllerRevisions", "pods"] as const;
    return { namespace, collections: [...required, "persistentVolumeClaims"], required };
  }
  switch (topic) {
    case "placement":
      return {
        namespace,
        wide: ["pods", "podDisruptionBudgets"],
        required: ["nodes", "pods", own],
      };
    case "scale-down": {
      const owners = own === "deployments" ? (["deployments", "replicaSets"] as const) : [own];
      const collections = ["namespaces", "nodes", "services", "pods", ...owners] as const;
      return { namespace, collections, required: ["pods", ...owners] };
    }
    case "rollout":
      return {
        namespace,
        collections: ["namespaces", "deployments", "replicaSets", "pods"],
        required: ["deployments", "replicaSets"],
      };
  }
}

function explanationText(explanation: Explanation, options: TextOptions): string {
  switch (explanation.kind) {
    case "ScaleDownExplanation":
      return scaleDownText(explanation, options);
    case "PlacementExplanation":
      return placementText(explanation, options);
    case "RolloutExplanation":
      return rolloutText(explanation, options);
    case "StatefulSetExplanation":
      return statefulSetText(explanation, options);
    case "DaemonSetExplanation":
      return daemonSetText(explanation, options);
    case "DaemonPlacementExplanation":
      return daemonPlacementText(explanation, options);
  }
}
