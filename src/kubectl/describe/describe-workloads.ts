import { humanDuration } from "../../api/duration.ts";
import type { Json, JsonObject } from "../../api/json.ts";
import { parseTime } from "../../api/time.ts";
import { at, listAt, mapAt, numberAt, textAt } from "../selection/kube-object.ts";
import {
  amountText,
  boolText,
  controllerLines,
  headLines,
  type Lines,
  metadataLines,
  nameLines,
  optional,
  pairLines,
  pairsText,
  describedSelector,
  describedTime,
} from "./describe-lines.ts";
import { templateLines } from "./describe-template.ts";

/** How many Pods of a workload are in each phase. */
export interface PodCounts {
  readonly running: number;
  readonly waiting: number;
  readonly succeeded: number;
  readonly failed: number;
}

const countsText = ({ running, waiting, succeeded, failed }: PodCounts) =>
  `${running} Running / ${waiting} Waiting / ${succeeded} Succeeded / ${failed} Failed`;

const count = (object: JsonObject, ...path: readonly string[]) => numberAt(object, ...path) ?? 0;

/** The ReplicaSets of a Deployment. */
export interface DeploymentSets {
  readonly old: readonly JsonObject[];
  readonly current: readonly JsonObject[];
}

export function deploymentLines(deployment: JsonObject, { old, current }: DeploymentSets): Lines {
  const update = at(deployment, "spec", "strategy", "rollingUpdate");
  const status = (name: string) => count(deployment, "status", name);
  return [
    ...nameLines(deployment),
    `CreationTimestamp:\t${describedTime(at(deployment, "metadata", "creationTimestamp"))}`,
    ...metadataLines(deployment),
    `Selector:\t${describedSelector(at(deployment, "spec", "selector"))}`,
    `Replicas:\t${count(deployment, "spec", "replicas")} desired | ${status("updatedReplicas")} updated | ${status("replicas")} total | ${status("availableReplicas")} available | ${status("unavailableReplicas")} unavailable`,
    `StrategyType:\t${textAt(deployment, "spec", "strategy", "type")}`,
    `MinReadySeconds:\t${count(deployment, "spec", "minReadySeconds")}`,
    ...(update === undefined
      ? []
      : [
          `RollingUpdateStrategy:\t${textAt(update, "maxUnavailable")} max unavailable, ${textAt(update, "maxSurge")} max surge`,
        ]),
    ...templateLines(at(deployment, "spec", "template")),
    ...conditionLines(deployment),
    ...(old.length + current.length === 0
      ? []
      : [`OldReplicaSets:\t${setsText(old)}`, `NewReplicaSet:\t${setsText(current)}`]),
  ];
}

function setsText(sets: readonly JsonObject[]): string {
  if (sets.length === 0) return "<none>";
  return sets
    .map(
      (set) =>
        `${textAt(set, "metadata", "name")} (${count(set, "status", "replicas")}/${count(set, "spec", "replicas")} replicas created)`,
    )
    .join(", ");
}

function conditionLines(object: JsonObject): Lines {
  const conditions = listAt(object, "status", "conditions");
  if (conditions.length === 0) return [];
  const cells = (each: JsonObject) => ["type", "status", "reason"].map((name) => textAt(each, name));
  return [
    "Conditions:",
    "  Type\tStatus\tReason",
    "  ----\t------\t------",
    ...conditions.map(cells).map(([type, status, reason]) => `  ${type} \t${status}\t${reason}`),
  ];
}

export function replicaSetLines(set: JsonObject, pods: PodCounts): Lines {
  return [
    ...nameLines(set),
    `Selector:\t${describedSelector(at(set, "spec", "selector"))}`,
    ...metadataLines(set),
    ...controllerLines(set),
    `Replicas:\t${count(set, "status", "replicas")} current / ${count(set, "spec", "replicas")} desired`,
    `Pods Status:\t${countsText(pods)}`,
    ...templateLines(at(set, "spec", "template")),
    ...conditionLines(set),
  ];
}

export function statefulSetLines(set: JsonObject, pods: PodCounts): Lines {
  const partition = at(set, "spec", "updateStrategy", "rollingUpdate", "partition");
  return [
    ...nameLines(set),
    `CreationTimestamp:\t${describedTime(at(set, "metadata", "creationTimestamp"))}`,
    `Selector:\t${describedSelector(at(set, "spec", "selector"))}`,
    ...metadataLines(set),
    `Replicas:\t${count(set, "spec", "replicas")} desired | ${count(set, "status", "replicas")} total`,
    `Update Strategy:\t${textAt(set, "spec", "updateStrategy", "type")}`,
    ...optional("  Partition", partition),
    `Pods Status:\t${countsText(pods)}`,
    ...templateLines(at(set, "spec", "template")),
    ...claimTemplateLines(listAt(set, "spec", "volumeClaimTemplates")),
  ];
}

function claimTemplateLines(templates: readonly JsonObject[]): Lines {
  if (templates.length === 0) return ["Volume Claims:\t<none>"];
  return [
    "Volume Claims:",
    ...templates.flatMap((claim) => {
      const storage = at(claim, "spec", "resources", "requests", "storage");
      return [
        `  Name:\t${textAt(claim, "metadata", "name")}`,
        `  StorageClass:\t${textAt(claim, "spec", "storageClassName")}`,
        ...pairLines("Labels", mapAt(claim, "metadata", "labels"), "  "),
        ...pairLines("Annotations", mapAt(claim, "metadata", "annotations"), "  "),
        `  Capacity:\t${storage === undefined ? "<default>" : amountText(storage)}`,
        `  Access Modes:\t[${((at(claim, "spec", "accessModes") ?? []) as readonly string[]).join(" ")}]`,
      ];
    }),
  ];
}

export function daemonSetLines(set: JsonObject, pods: PodCounts): Lines {
  const status = (name: string) => count(set, "status", name);
  return [
    ...nameLines(set),
    `Selector:\t${describedSelector(at(set, "spec", "selector"))}`,
    `Node-Selector:\t${pairsText(mapAt(set, "spec", "template", "spec", "nodeSelector"))}`,
    ...metadataLines(set),
    `Desired Number of Nodes Scheduled: ${status("desiredNumberScheduled")}`,
    `Current Number of Nodes Scheduled: ${status("currentNumberScheduled")}`,
    `Number of Nodes Scheduled with Up-to-date Pods: ${status("updatedNumberScheduled")}`,
    `Number of Nodes Scheduled with Available Pods: ${status("numberAvailable")}`,
    `Number of Nodes Misscheduled: ${status("numberMisscheduled")}`,
    `Pods Status:\t${countsText(pods)}`,
    ...templateLines(at(set, "spec", "template")),
  ];
}

export function jobLines(job: JsonObject): Lines {
  const spec = (name: string) => at(job, "spec", name);
  const [start, end] = [at(job, "status", "startTime"), at(job, "status", "completionTime")];
  const deadline = spec("activeDeadlineSeconds");
  return [
    ...nameLines(job),
    `Selector:\t${describedSelector(spec("selector"))}`,
    ...metadataLines(job),
    ...controllerLines(job),
    ...optional("Parallelism", spec("parallelism")),
    `Completions:\t${spec("completions") === undefined ? "<unset>" : textAt(job, "spec", "completions")}`,
    ...optional("Completion Mode", spec("completionMode")),
    ...optional("Suspend", spec("suspend")),
    ...optional("Backoff Limit", spec("backoffLimit")),
    ...optional("TTL Seconds After Finished", spec("ttlSecondsAfterFinished")),
    ...(start === undefined ? [] : [`Start Time:\t${describedTime(start)}`]),
    ...(end === undefined ? [] : [`Completed At:\t${describedTime(end)}`, ...durationLines(start, end)]),
    ...(deadline === undefined
      ? []
      : [`Active Deadline Seconds:\t${textAt(job, "spec", "activeDeadlineSeconds")}s`]),
    `Pods Statuses:\t${jobPods(job)}`,
    ...indexLines(job),
    ...templateLines(spec("template")),
  ];
}

function durationLines(start: Json | undefined, end: Json): Lines {
  const [from, to] = [start, end].map((time) => parseTime(typeof time === "string" ? time : undefined));
  return from === undefined || to === undefined ? [] : [`Duration:\t${humanDuration(to - from)}`];
}

function jobPods(job: JsonObject): string {
  const ready = numberAt(job, "status", "ready");
  const status = (name: string) => count(job, "status", name);
  return `${status("active")} Active${ready === undefined ? "" : ` (${ready} Ready)`} / ${status("succeeded")} Succeeded / ${status("failed")} Failed`;
}

function indexLines(job: JsonObject): Lines {
  if (textAt(job, "spec", "completionMode") !== "Indexed") return [];
  const indexes = textAt(job, "status", "completedIndexes");
  const end = indexes.indexOf(",", 50);
  const shown = end === -1 ? indexes : `${indexes.slice(0, end + 1)}...`;
  return [`Completed Indexes:\t${shown === "" ? "<none>" : shown}`];
}

export function cronJobLines(cronJob: JsonObject): Lines {
  const spec = (name: string) => textAt(cronJob, "spec", name) || "<unset>";
  const template = at(cronJob, "spec", "jobTemplate", "spec");
  const last = at(cronJob, "status", "lastScheduleTime");
  const active = listAt(cronJob, "status", "active").map((job) => textAt(job, "name"));
  const deadline = spec("startingDeadlineSeconds");
  const selector = at(template, "selector");
  return [
    ...headLines(cronJob),
    `Schedule:\t${textAt(cronJob, "spec", "schedule")}`,
    `Concurrency Policy:\t${textAt(cronJob, "spec", "concurrencyPolicy")}`,
    `Suspend:\t${at(cronJob, "spec", "suspend") === undefined ? "<unset>" : boolText(at(cronJob, "spec", "suspend"))}`,
    ...optional("Time Zone", at(cronJob, "spec", "timeZone")),
    `Successful Job History Limit:\t${spec("successfulJobsHistoryLimit")}`,
    `Failed Job History Limit:\t${spec("failedJobsHistoryLimit")}`,
    `Starting Deadline Seconds:\t${deadline === "<unset>" ? deadline : `${deadline}s`}`,
    `Selector:\t${selector === undefined ? "<unset>" : describedSelector(selector)}`,
    ...["Parallelism", "Completions"].map(
      (title) => `${title}:\t${textAt(template, title.toLowerCase()) || "<unset>"}`,
    ),
    ...optional("Active Deadline Seconds", at(template, "activeDeadlineSeconds")).map((line) => `${line}s`),
    ...templateLines(at(template, "template")),
    `Last Schedule Time:\t${last === undefined ? "<unset>" : describedTime(last)}`,
    `Active Jobs:\t${active.length === 0 ? "<none>" : active.join(", ")}`,
  ];
}
