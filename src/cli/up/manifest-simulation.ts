import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import {
  nodeSimulationProblems,
  podSimulationProblems,
  type SimulationProblem,
} from "../../cluster/kubelet/behaviour/simulation-problems.ts";
import type { Manifest } from "../read-manifests.ts";

/** A sentence for each simulation setting of a manifest that is not known or makes no sense. */
export function manifestSimulationProblems({ resource, object, title }: Manifest): readonly string[] {
  return settingsOf(resource.kind, object).map(({ problem }) => `${title}: ${problem}`);
}

/** The settings of a workload are those of the Pods it makes. */
function settingsOf(kind: string, object: JsonObject): readonly SimulationProblem[] {
  if (kind === "Node") return nodeSimulationProblems(textsIn(memberOf(object, "metadata", "annotations")));
  const hasOwn = kind === "Pod" || kind === "Namespace";
  const metadata = hasOwn ? memberOf(object, "metadata") : templateMetadata(object);
  return podSimulationProblems({
    annotations: textsIn(memberOf(metadata, "annotations")),
    labels: textsIn(memberOf(metadata, "labels")),
  });
}

function templateMetadata(object: JsonObject): Json | undefined {
  const spec = memberOf(object, "spec", "jobTemplate", "spec") ?? memberOf(object, "spec");
  return memberOf(spec, "template", "metadata");
}

function memberOf(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((at, member) => (isJsonObject(at) ? at[member] : undefined), value);
}

function textsIn(value: Json | undefined): Readonly<Record<string, string>> {
  const entries = Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(
    entries.flatMap(([key, text]) => (typeof text === "string" ? [[key, text] as const] : [])),
  );
}
