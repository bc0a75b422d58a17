import type { Json, JsonObject } from "../../api/json.ts";
import { at, listAt, numberAt, textAt } from "../selection/kube-object.ts";
import { amountText, headLines, type Lines, describedTime } from "./describe-lines.ts";

/** Describes a HorizontalPodAutoscaler. */
export function autoscalerLines(autoscaler: JsonObject): Lines {
  const target = at(autoscaler, "spec", "scaleTargetRef");
  const current = listAt(autoscaler, "status", "currentMetrics");
  const behavior = at(autoscaler, "spec", "behavior");
  return [
    ...headLines(autoscaler),
    `CreationTimestamp:\t${describedTime(at(autoscaler, "metadata", "creationTimestamp"))}`,
    `Reference:\t${textAt(target, "kind")}/${textAt(target, "name")}`,
    "Metrics:\t( current / target )",
    ...listAt(autoscaler, "spec", "metrics").map((metric, index) => metricLine(metric, current[index])),
    `Min replicas:\t${textAt(autoscaler, "spec", "minReplicas") || "<unset>"}`,
    `Max replicas:\t${textAt(autoscaler, "spec", "maxReplicas")}`,
    ...(behavior === undefined
      ? []
      : [
          "Behavior:",
          ...directionLines("Scale Up", at(behavior, "scaleUp")),
          ...directionLines("Scale Down", at(behavior, "scaleDown")),
        ]),
    `${textAt(target, "kind")} pods:\t${numberAt(autoscaler, "status", "currentReplicas") ?? 0} current / ${numberAt(autoscaler, "status", "desiredReplicas") ?? 0} desired`,
    ...conditionLines(listAt(autoscaler, "status", "conditions")),
  ];
}

/** The field of each type of metric. */
const metricFields: Readonly<Record<string, string>> = {
  External: "external",
  Pods: "pods",
  Object: "object",
  Resource: "resource",
  ContainerResource: "containerResource",
};

function metricLine(metric: JsonObject, status: JsonObject | undefined): string {
  const type = textAt(metric, "type");
  const field = metricFields[type] ?? "";
  const source = at(metric, field) ?? null;
  const current = at(status, field, "current");
  const isAverage = at(source, "target", "averageValue") !== undefined;
  const now = (name: string) =>
    at(current, name) === undefined ? "<unknown>" : amountText(at(current, name));
  const value = isAverage ? "averageValue" : "value";
  const amounts = `${now(value)} / ${amountText(at(source, "target", value))}`;
  const name = textAt(source, "metric", "name");
  switch (type) {
    case "External":
      return `  ${JSON.stringify(name)} (target ${isAverage ? "average value" : "value"}):\t${amounts}`;
    case "Pods":
      return `  ${JSON.stringify(name)} on pods:\t${amounts}`;
    case "Object":
      return `  "${name}" on ${textAt(source, "describedObject", "kind")}/${textAt(source, "describedObject", "name")} (target ${isAverage ? "average value" : "value"}):\t${amounts}`;
    case "Resource":
    case "ContainerResource":
      return resourceLine(source, current, isAverage ? amounts : undefined);
    default:
      return `  <unknown metric type "${type}">`;
  }
}

function resourceLine(source: Json, current: Json | undefined, amounts: string | undefined): string {
  const container = textAt(source, "container");
  const start = `  resource ${textAt(source, "name")}${container === "" ? "" : ` of container "${container}"`} on pods`;
  if (amounts !== undefined) return `${start}:\t${amounts}`;
  const [used, wanted] = [at(current, "averageUtilization"), at(source, "target", "averageUtilization")];
  const now =
    used === undefined ? "<unknown>" : `${textAt(used)}% (${amountText(at(current, "averageValue"))})`;
  return `${start}  (as a percentage of request):\t${now} / ${wanted === undefined ? "<auto>" : `${textAt(wanted)}%`}`;
}

function directionLines(title: string, rules: Json | undefined): Lines {
  if (rules === undefined) return [];
  const window = at(rules, "stabilizationWindowSeconds");
  const policies = listAt(rules, "policies");
  return [
    `  ${title}:`,
    ...(window === undefined ? [] : [`    Stabilization Window: ${textAt(window)} seconds`]),
    ...(policies.length === 0
      ? []
      : [`    Select Policy: ${textAt(rules, "selectPolicy") || "Max"}`, "    Policies:"]),
    ...policies.map(
      (each) =>
        `      - Type: ${textAt(each, "type")}\tValue: ${textAt(each, "value")}\tPeriod: ${textAt(each, "periodSeconds")} seconds`,
    ),
  ];
}

function conditionLines(conditions: readonly JsonObject[]): Lines {
  if (conditions.length === 0) return [];
  const names = ["type", "status", "reason", "message"];
  return [
    "Conditions:",
    "  Type\tStatus\tReason\tMessage",
    "  ----\t------\t------\t-------",
    ...conditions.map((each) => `  ${names.map((name) => textAt(each, name)).join("\t")}`),
  ];
}
