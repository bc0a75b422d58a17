import type { Json, JsonObject } from "../../api/json.ts";
import { at, listAt, mapAt, numberAt, textAt } from "../selection/kube-object.ts";
import { containerLines } from "./describe-containers.ts";
import {
  controllerLines,
  type Lines,
  metadataLines,
  nameLines,
  optional,
  pairLines,
  sinceText,
  describedTime,
} from "./describe-lines.ts";
import { spreadLines, tolerationLines } from "./describe-template.ts";
import { volumeLines } from "./describe-volumes.ts";

/** Describes a Pod. */
export function podLines(pod: JsonObject, now: number): Lines {
  const spec = at(pod, "spec");
  return [
    ...nameLines(pod),
    ...placeLines(pod),
    ...metadataLines(pod),
    ...statusLines(pod, now),
    ...controllerLines(pod),
    ...optional("NominatedNodeName", at(pod, "status", "nominatedNodeName")),
    ...allContainers(pod),
    ...gateLines(pod),
    ...conditionLines(listAt(pod, "status", "conditions")),
    ...volumeLines(listAt(spec, "volumes")),
    `QoS Class:\t${textAt(pod, "status", "qosClass")}`,
    ...pairLines("Node-Selectors", mapAt(spec, "nodeSelector")),
    ...tolerationLines("Tolerations", listAt(spec, "tolerations")),
    ...spreadLines(listAt(spec, "topologySpreadConstraints")),
  ];
}

function placeLines(pod: JsonObject): Lines {
  const spec = at(pod, "spec");
  const start = at(pod, "status", "startTime");
  const node = textAt(spec, "nodeName");
  return [
    ...optional("Priority", at(spec, "priority")),
    ...optional("Priority Class Name", at(spec, "priorityClassName")),
    ...optional("Runtime Class Name", at(spec, "runtimeClassName")),
    ...optional("Service Account", at(spec, "serviceAccountName")),
    `Node:\t${node === "" ? "<none>" : `${node}/${textAt(pod, "status", "hostIP")}`}`,
    ...(start === undefined ? [] : [`Start Time:\t${describedTime(start)}`]),
  ];
}

function statusLines(pod: JsonObject, now: number): Lines {
  const addresses = listAt(pod, "status", "podIPs");
  return [
    ...phaseLines(pod, now),
    ...optional("Reason", at(pod, "status", "reason")),
    ...optional("Message", at(pod, "status", "message")),
    ...optional("SeccompProfile", at(pod, "spec", "securityContext", "seccompProfile", "type")),
    `IP:\t${textAt(pod, "status", "podIP")}`,
    ...(addresses.length === 0
      ? ["IPs:\t<none>"]
      : ["IPs:", ...addresses.map((each) => `  IP:\t${textAt(each, "ip")}`)]),
  ];
}

function phaseLines(pod: JsonObject, now: number): Lines {
  const deletion = at(pod, "metadata", "deletionTimestamp");
  const phase = textAt(pod, "status", "phase");
  if (deletion === undefined || phase === "Failed" || phase === "Succeeded") return [`Status:\t${phase}`];
  return [
    `Status:\tTerminating (lasts ${sinceText(deletion, now)})`,
    `Termination Grace Period:\t${numberAt(pod, "metadata", "deletionGracePeriodSeconds") ?? 0}s`,
  ];
}

function allContainers(pod: JsonObject): Lines {
  const kinds = [
    ["Init Containers", "initContainers", "initContainerStatuses"],
    ["Containers", "containers", "containerStatuses"],
    ["Ephemeral Containers", "ephemeralContainers", "ephemeralContainerStatuses"],
  ] as const;
  return kinds.flatMap(([title, field, statusField]) => {
    const containers = listAt(pod, "spec", field);
    if (containers.length === 0 && field !== "containers") return [];
    return containerLines({ title, containers, statuses: listAt(pod, "status", statusField), pod });
  });
}

function gateLines(pod: JsonObject): Lines {
  const gates = listAt(pod, "spec", "readinessGates");
  if (gates.length === 0) return [];
  const conditions = listAt(pod, "status", "conditions");
  const statusOf = (type: Json | undefined) =>
    textAt(
      conditions.find((each) => each["type"] === type),
      "status",
    ) || "<none>";
  return [
    "Readiness Gates:",
    "  Type\tStatus",
    ...gates.map(({ conditionType }) => `  ${textAt(conditionType)} \t${statusOf(conditionType)} `),
  ];
}

function conditionLines(conditions: readonly JsonObject[]): Lines {
  if (conditions.length === 0) return [];
  return [
    "Conditions:",
    "  Type\tStatus",
    ...conditions.map((each) => `  ${textAt(each, "type")} \t${textAt(each, "status")} `),
  ];
}
