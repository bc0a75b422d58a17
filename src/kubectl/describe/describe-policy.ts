import { compareText } from "../../api/compare-text.ts";
import type { Json, JsonObject } from "../../api/json.ts";
import { at, listAt, mapAt, numberAt, textAt } from "../selection/kube-object.ts";
import {
  amountText,
  byKey,
  type Lines,
  metadataLines,
  nameLines,
  pairsText,
  describedSelector,
  describedTime,
} from "./describe-lines.ts";

export function budgetLines(budget: JsonObject): Lines {
  const [least, most] = [at(budget, "spec", "minAvailable"), at(budget, "spec", "maxUnavailable")];
  const selector = at(budget, "spec", "selector");
  const status = (name: string) => numberAt(budget, "status", name) ?? 0;
  return [
    ...nameLines(budget),
    ...(least === undefined ? [] : [`Min available:\t${textAt(least)}`]),
    ...(least !== undefined || most === undefined ? [] : [`Max unavailable:\t${textAt(most)}`]),
    `Selector:\t${selector === undefined ? "<unset>" : describedSelector(selector)}`,
    "Status:",
    `    Allowed disruptions:\t${status("disruptionsAllowed")}`,
    `    Current:\t${status("currentHealthy")}`,
    `    Desired:\t${status("desiredHealthy")}`,
    `    Total:\t${status("expectedPods")}`,
  ];
}

export function priorityClassLines(priority: JsonObject): Lines {
  return [
    `Name:\t${textAt(priority, "metadata", "name")}`,
    `Value:\t${numberAt(priority, "value") ?? 0}`,
    `GlobalDefault:\t${String(priority["globalDefault"] === true)}`,
    `PreemptionPolicy:\t${textAt(priority, "preemptionPolicy")}`,
    `Description:\t${textAt(priority, "description")}`,
    `Annotations:\t${pairsText(mapAt(priority, "metadata", "annotations"))}`,
  ];
}

export function namespaceLines(
  namespace: JsonObject,
  { quotas, limits }: { readonly quotas: readonly JsonObject[]; readonly limits: readonly JsonObject[] },
): Lines {
  return [
    `Name:\t${textAt(namespace, "metadata", "name")}`,
    ...metadataLines(namespace),
    `Status:\t${textAt(namespace, "status", "phase")}`,
    ...namespaceConditions(listAt(namespace, "status", "conditions")),
    "",
    ...(quotas.length === 0
      ? ["No resource quota."]
      : ["Resource Quotas", ...quotas.flatMap(namespaceQuota)]),
    "",
    ...(limits.length === 0 ? ["No LimitRange resource."] : limitTable(limits, " ", "Resource Limits")),
  ];
}

function namespaceConditions(conditions: readonly JsonObject[]): Lines {
  if (conditions.length === 0) return [];
  return [
    "Conditions:",
    "  Type\tStatus\tLastTransitionTime\tReason\tMessage",
    "  ----\t------\t------------------\t------\t-------",
    ...conditions.map(
      (each) =>
        `  ${textAt(each, "type")}\t${textAt(each, "status")}\t${describedTime(each["lastTransitionTime"])}\t${textAt(each, "reason")}\t${textAt(each, "message")}`,
    ),
  ];
}

function namespaceQuota(quota: JsonObject): Lines {
  return [
    `  Name:\t${textAt(quota, "metadata", "name")}`,
    ...scopeLines(quota, "  "),
    "  Resource\tUsed\tHard",
    "  --------\t---\t---",
    ...usageLines(quota).map((line) => `  ${line}`),
  ];
}

export function quotaLines(quota: JsonObject): Lines {
  return [
    ...nameLines(quota),
    ...scopeLines(quota, ""),
    "Resource\tUsed\tHard",
    "--------\t----\t----",
    ...usageLines(quota),
  ];
}

const scopeHelp: Readonly<Record<string, string>> = {
  Terminating:
    "Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.",
  NotTerminating:
    "Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.",
  BestEffort:
    "Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.",
  NotBestEffort:
    "Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.",
};

function scopeLines(quota: JsonObject, indent: string): Lines {
  const scopes = [...((at(quota, "spec", "scopes") ?? []) as readonly string[])].toSorted(compareText);
  if (scopes.length === 0) return [];
  const help = scopes.flatMap((scope) =>
    scopeHelp[scope] === undefined ? [] : [`${indent} * ${scopeHelp[scope]}`],
  );
  return [`${indent}Scopes:\t${scopes.join(", ")}`, ...help];
}

function usageLines(quota: JsonObject): Lines {
  return Object.entries(mapAt(quota, "status", "hard"))
    .toSorted(byKey)
    .map(([name, hard]) => `${name}\t${amountText(at(quota, "status", "used", name))}\t${amountText(hard)}`);
}

export function limitRangeLines(range: JsonObject): Lines {
  return [...nameLines(range), ...limitTable([range], "")];
}

const limitColumns = ["min", "max", "defaultRequest", "default", "maxLimitRequestRatio"];

function limitTable(ranges: readonly JsonObject[], indent: string, title?: string): Lines {
  return [
    ...(title === undefined ? [] : [title]),
    `${indent}Type\tResource\tMin\tMax\tDefault Request\tDefault Limit\tMax Limit/Request Ratio`,
    `${indent}----\t--------\t---\t---\t---------------\t-------------\t-----------------------`,
    ...ranges.flatMap((range) => listAt(range, "spec", "limits").flatMap((item) => limitRows(item, indent))),
  ];
}

function limitRows(item: JsonObject, indent: string): Lines {
  const names = new Set(limitColumns.flatMap((column) => Object.keys(mapAt(item, column))));
  const cell = (value: Json | undefined) => (value === undefined ? "-" : amountText(value));
  return [...names].map((name) => {
    const cells = limitColumns.map((column) => cell(at(item, column, name)));
    return `${indent}${[textAt(item, "type"), name, ...cells].join("\t")}`;
  });
}
