import { compareText } from "../../api/compare-text.ts";
import type { Json, JsonObject } from "../../api/json.ts";
import { at, listAt, mapAt, numberAt, textAt } from "../selection/kube-object.ts";
import { containerLines } from "./describe-containers.ts";
import {
  annotationLines,
  type Lines,
  optional,
  pairLines,
  describedSelector,
  titled,
} from "./describe-lines.ts";
import { volumeLines } from "./describe-volumes.ts";

/** Describes the template of a workload. */
export function templateLines(template: Json | undefined): Lines {
  const spec = at(template, "spec");
  const annotations = mapAt(template, "metadata", "annotations");
  const init = listAt(spec, "initContainers");
  return [
    "Pod Template:",
    ...pairLines("  Labels", mapAt(template, "metadata", "labels")),
    ...(Object.keys(annotations).length === 0 ? [] : annotationLines("  Annotations", annotations)),
    ...optional("  Service Account", at(spec, "serviceAccountName")),
    ...(init.length === 0 ? [] : containerLines({ title: "Init Containers", containers: init })),
    ...containerLines({ title: "Containers", containers: listAt(spec, "containers") }),
    ...volumeLines(listAt(spec, "volumes"), "  "),
    ...spreadLines(listAt(spec, "topologySpreadConstraints"), "  "),
    ...optional("  Priority Class Name", at(spec, "priorityClassName")),
    ...pairLines("  Node-Selectors", mapAt(spec, "nodeSelector")),
    ...tolerationLines("  Tolerations", listAt(spec, "tolerations")),
  ];
}

/** How Pods are spread; nothing without constraints. */
export function spreadLines(constraints: readonly JsonObject[], space = ""): Lines {
  if (constraints.length === 0) return [];
  const texts = constraints
    .toSorted((one, other) => compareText(textAt(one, "topologyKey"), textAt(other, "topologyKey")))
    .map(spreadText);
  return titled("Topology Spread Constraints", texts, space);
}

function spreadText(constraint: JsonObject): string {
  const selector = at(constraint, "labelSelector");
  const selected = selector === undefined ? "" : ` for selector ${describedSelector(selector)}`;
  return `${textAt(constraint, "topologyKey")}:${textAt(constraint, "whenUnsatisfiable")} when max skew ${numberAt(constraint, "maxSkew") ?? 0} is exceeded${selected}`;
}

/** Tolerations, in the order of their keys. */
export function tolerationLines(title: string, tolerations: readonly JsonObject[]): Lines {
  const sorted = tolerations.toSorted((one, other) => compareText(textAt(one, "key"), textAt(other, "key")));
  return titled(title, sorted.map(tolerationText));
}

function tolerationText(toleration: JsonObject): string {
  const [key, value, effect] = ["key", "value", "effect"].map((name) => textAt(toleration, name));
  const pair = `${key}${value === "" ? "" : `=${value}`}${effect === "" ? "" : `:${effect}`}`;
  const isExists = textAt(toleration, "operator") === "Exists" && value === "";
  const exists = isExists ? (pair === "" ? "op=Exists" : " op=Exists") : "";
  const seconds = numberAt(toleration, "tolerationSeconds");
  return `${pair}${exists}${seconds === undefined ? "" : ` for ${seconds}s`}`;
}
