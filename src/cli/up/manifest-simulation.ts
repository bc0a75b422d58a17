import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import {
  nodeSimulationProblems,
  podSimulationProblems,
  type SimulationProblem,
} from "../../cluster/kubelet/behaviour/simulation-problems.ts";
import { loadAnnotation } from "../../cluster/simulated-metrics/annotated-load.ts";
import type { Manifest } from "../read-manifests.ts";

/** A sentence for each simulation setting of a manifest that is not known or makes no sense. */
export function manifestSimulationProblems({ resource, object, title }: Manifest): readonly string[] {
  return settingsOf(resource.kind, object).map(({ problem }) => `${title}: ${problem}`);
}

/** The settings of a workload are those of the Pods it makes, and its load, which an autoscaler may have as well. */
function settingsOf(kind: string, object: JsonObject): readonly SimulationProblem[] {
  const annotations = textsIn(memberOf(object, "metadata", "annotations"));
  if (kind === "Node") return nodeSimulationProblems(annotations);
  if (kind === "Pod" || kind === "Namespace")
    return podSimulationProblems({ annotations, labels: textsIn(memberOf(object, "metadata", "labels")) });
  const { [loadAnnotation]: load } = annotations;
  const template = templateMetadata(object);
  return [
    ...(load === undefined ? [] : podSimulationProblems({ annotations: { [loadAnnotation]: load } })),
    ...podSimulationProblems({
      annotations: textsIn(memberOf(template, "annotations")),
      labels: textsIn(memberOf(template, "labels")),
    }),
  ];
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
