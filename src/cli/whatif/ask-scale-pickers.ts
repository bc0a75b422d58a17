import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { downscalePodPickerOf } from "../../api/workload-settings.ts";
import type { PickerExplanation } from "../../decisions/explain/rank-candidates.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { permanentFailure } from "../../picker/picker-failure.ts";
import { readPickerSettings } from "../../picker/picker-settings.ts";
import type { SimulatedPicker } from "../../picker/simulated-picker.ts";
import type { ActionDocument } from "../../simulation/scenario-files/scenario-document.ts";
import type { Command, Invocation } from "../command.ts";
import { type ObservedCluster, viewAsAllowed } from "../connection/cluster-view.ts";
import { findInspectedCluster } from "../connection/inspected-cluster.ts";
import { clientOf } from "../connection/run-on-cluster.ts";
import { type AskedPicker, type AskedScale, askAboutScale } from "../explain/ask-about-scale.ts";
import type { AskOptions } from "../explain/ask-pickers.ts";
import { readObject } from "../explain/object-argument.ts";
import type { WhatIfSettings } from "./whatif-settings.ts";

/** What pickers answered, for a simulation, and what each said, as sentences. */
export type AskedForWhatIf =
  | {
      readonly ok: true;
      /** By host. */
      readonly pickers: ReadonlyMap<string, SimulatedPicker>;
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

interface AskScaleOptions {
  readonly command: Command;
  readonly flags: Invocation["flags"];
  readonly settings: Pick<WhatIfSettings, "pickers" | "controllers" | "gates">;
}

/**
 * Asks the pickers of the workloads that are scaled, before anything is simulated. The simulation gives their answers to the
 * same questions; a question that was not asked before finds no answer.
 */
export async function askScalePickers(
  changes: readonly ActionDocument[],
  { command, flags, settings }: AskScaleOptions,
  signal: AbortSignal,
): Promise<AskedForWhatIf> {
  const cluster = findInspectedCluster(flags);
  if (!cluster.ok) return cluster;
  const { connection, namespace } = cluster;
  const clock = new WallClock();
  const client = await clientOf(connection, { command, clock });
  try {
    const required = ["pods", "replicaSets", "deployments"] as const;
    const scope = { required, namespace, requiredOfNamespace: required };
    const seen = await viewAsAllowed(client, { connection, scope }, signal);
    if (!seen.ok) return seen;
    const access = { ...settings.pickers, apiServer: () => connection.server };
    const ask: Omit<AskOptions, "isEmbedded"> = { client, clock, access, signal };
    const asked: AskedOf[] = [];
    for (const scale of scalesOf(changes, namespace, settings)) {
      const found = await askAboutScale(scale, { view: seen.view, ask });
      asked.push(...(found ?? []).map((each) => ({ ...each, namespace: scale.workload.namespace })));
    }
    return { ok: true, ...answersOf(asked, seen.view) };
  } finally {
    await client.close();
  }
}

type AskedOf = AskedPicker & { readonly namespace: string };

/** The scales among the changes of workloads that may have a picker. */
function scalesOf(
  changes: readonly ActionDocument[],
  namespace: string,
  { controllers, gates }: AskScaleOptions["settings"],
): readonly AskedScale[] {
  const profile =
    controllers === undefined ? undefined : controllers === "stock" ? "kubernetes-1.36" : "trimtab";
  return changes.flatMap(({ scale }) => {
    const read = scale === undefined ? undefined : readObject([scale.workload], "scale-down");
    if (scale === undefined || read?.ok !== true) return [];
    const { kind, name } = read;
    if (kind !== "Deployment" && kind !== "ReplicaSet") return [];
    const workload = { kind, namespace: scale.namespace ?? namespace, name };
    const ownGates: AskedScale["gates"] = (defaults) =>
      gates(profile === "kubernetes-1.36" ? "stock" : "embedded", defaults);
    return [{ workload, replicas: scale.replicas, profile, gates: ownGates }];
  });
}

/** The answers by the host of the picker, as simulated pickers that repeat them. */
function answersOf(
  asked: readonly AskedOf[],
  { objects }: ObservedCluster,
): Pick<Extract<AskedForWhatIf, { ok: true }>, "pickers" | "notes"> {
  const byHost = new Map<string, PickerExplanation[]>();
  for (const { owner, namespace, questions } of asked) {
    const isOwner = ({ metadata }: ReplicaSet) => metadata.name === owner && metadata.namespace === namespace;
    const replicaSet = objects.replicaSets.find(isOwner);
    const picker = replicaSet === undefined ? undefined : downscalePodPickerOf(replicaSet);
    const host = readPickerSettings(picker)?.host;
    if (host !== undefined) byHost.set(host, [...(byHost.get(host) ?? []), ...questions]);
  }
  const outcomes = asked.flatMap(({ owner, questions }) =>
    questions.map(({ answer }) => `The pod picker of ${owner} was asked: ${answer?.outcome ?? "no answer"}.`),
  );
  return {
    pickers: new Map([...byHost].map(([host, questions]) => [host, repeating(questions)])),
    notes: outcomes.length > 0 ? outcomes : ["No pod picker had anything to decide."],
  };
}

/** A picker that gives the answers which another one gave to the same questions. */
export function repeating(questions: readonly PickerExplanation[]): SimulatedPicker {
  return {
    pick({ requested, candidates }) {
      const asked = [...candidates].toSorted().join("/");
      const same = questions.find(
        (each) => each.requested === requested && each.candidates.toSorted().join("/") === asked,
      );
      const { chosen = [], tied = [], protects = [] } = same?.answer ?? {};
      if (chosen.length + tied.length + protects.length === 0) return permanentFailure("HostUnresolved");
      return {
        chosen_pods: chosen,
        tied_pods: tied,
        ...(protects.length > 0 && { protected_pods: protects }),
      };
    },
  };
}
