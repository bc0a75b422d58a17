import { isConditionTrue } from "../../../../api/conditions.ts";
import type { Pod } from "../../../../api/generated/core-v1.ts";
import type { Instant } from "../../../../api/time.ts";
import { ageOf, ageSince, noneText, orNone, textOrEmpty } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type RowCondition,
  type TableDescription,
  wideColumn,
} from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";
import { containerDescriptions } from "./container-descriptions.ts";
import { type PodSummary, summarizePod } from "./pod-summary.ts";

export const podTable: TableDescription<Pod> = {
  columns: [
    nameColumn,
    column("Ready", "Containers that are ready, of those that should be."),
    column("Status", "The state of the Pod and its containers, as one word."),
    column("Restarts", "How often containers were restarted, and when last."),
    ageColumn,
    wideColumn("IP", "The address of the Pod."),
    wideColumn("Node", "The node the Pod is bound to."),
    wideColumn("Nominated Node", "The node on which preemption is making room for the Pod."),
    wideColumn("Readiness Gates", "Readiness gates that are passed, of those the Pod has."),
  ],

  cells(pod, now) {
    const summary = summarizePod(pod);
    return [
      pod.metadata.name,
      `${summary.ready}/${summary.total}`,
      summary.status,
      restartsText(summary, now),
      ageOf(pod, now),
      orNone(pod.status?.podIPs?.[0]?.ip ?? pod.status?.podIP),
      orNone(pod.spec.nodeName),
      orNone(pod.status?.nominatedNodeName),
      readinessGates(pod),
    ];
  },

  conditions(pod) {
    const ended = endings.get(textOrEmpty(pod.status?.phase));
    return ended === undefined ? [] : [ended];
  },
};

const endings: ReadonlyMap<string, RowCondition> = new Map([
  ["Succeeded", completed("Succeeded", "All containers of the Pod ended well.")],
  ["Failed", completed("Failed", "A container of the Pod failed, or the Pod was ended by the system.")],
]);

function completed(reason: string, message: string): RowCondition {
  return { type: "Completed", status: "True", reason, message };
}

function restartsText({ restarts, restartedAt }: PodSummary, now: Instant): string {
  const ago = restarts === 0 || restartedAt === undefined ? "" : ` (${ageSince(restartedAt, now)} ago)`;
  return `${restarts}${ago}`;
}

function readinessGates(pod: Pod): string {
  const gates = pod.spec.readinessGates ?? [];
  if (gates.length === 0) return noneText;
  const passed = gates.filter((gate) => isConditionTrue(pod.status?.conditions, gate.conditionType));
  return `${passed.length}/${gates.length}`;
}

const podDescriptions: TypeDescriptions = {
  "core.v1.Pod": {
    about: "Containers that run together on one node.",
  },
  "core.v1.PodTemplateSpec": {
    about: "The template that Pods are created from.",
    fields: {
      metadata: "Labels and annotations of the Pods.",
      spec: "The containers of the Pods, and where and how they run.",
    },
  },
  "core.v1.PodSpec": {
    about: "The containers of a Pod, and where and how they run.",
    fields: {
      volumes: "Storage that the containers can mount.",
      initContainers:
        "Containers that run first, one after another; those that restart always keep running as sidecars.",
      containers: "The containers of the Pod; at least one.",
      ephemeralContainers: "Containers added to a running Pod for debugging.",
      restartPolicy: "Whether containers are restarted when they exit.",
      terminationGracePeriodSeconds: "How long containers have to shut down before they are killed.",
      activeDeadlineSeconds: "How long the Pod may run at most.",
      nodeSelector: "Labels a node must have.",
      serviceAccountName: "The ServiceAccount that the containers use towards the API server.",
      nodeName: "The node the Pod runs on; set by the scheduler.",
      hostNetwork: "Whether the Pod shares the node's network.",
      securityContext: "Users, groups and privileges for all containers.",
      imagePullSecrets: "Secrets with credentials for the image registries.",
      hostname: "The host name the containers see.",
      subdomain: "The domain of the host name.",
      affinity: "Rules that attract the Pod to nodes and to other Pods, or keep it away from them.",
      schedulerName: "Which scheduler places the Pod.",
      tolerations: "Taints that the Pod tolerates.",
      priorityClassName: "The name of the PriorityClass.",
      priority: "The priority as a number; set from the PriorityClass.",
      preemptionPolicy: "Whether the Pod preempts Pods of lower priority.",
      readinessGates: "Further conditions that must be true for the Pod to be ready.",
      runtimeClassName: "Which runtime runs the containers.",
      topologySpreadConstraints:
        "How evenly Pods like this one are spread over zones, nodes or other domains.",
      schedulingGates: "Gates that have to be removed before the Pod is scheduled.",
      dnsPolicy: "Which name servers the containers use.",
    },
  },
  "core.v1.PodStatus": {
    fields: {
      observedGeneration: "The generation that the rest of the status describes.",
      phase: "Pending, Running, Succeeded, Failed or Unknown.",
      conditions: "Whether the Pod is scheduled, initialized, ready and so on.",
      message: "Why the Pod is in this phase, as a sentence.",
      reason: "Why the Pod is in this phase, as one CamelCase word.",
      nominatedNodeName: "The node on which preemption is making room for the Pod.",
      hostIP: "The address of the node.",
      podIP: "The address of the Pod.",
      podIPs: "All addresses of the Pod.",
      startTime: "When the node accepted the Pod.",
      initContainerStatuses: "The state of each init container.",
      containerStatuses: "The state of each container.",
      qosClass:
        "The quality of service class: how early the Pod is evicted when the node runs out of a resource.",
    },
  },
  "core.v1.PodCondition": {
    fields: {
      type: "The type of the condition.",
      status: "True, False or Unknown.",
      lastTransitionTime: "When the status last changed.",
      reason: "The reason, as one CamelCase word.",
      message: "The reason, as a sentence.",
    },
  },
  "core.v1.Affinity": {
    about: "Rules that attract a Pod to nodes and to other Pods, or keep it away from them.",
    fields: {
      nodeAffinity: "Which nodes are required or preferred.",
      podAffinity: "Which Pods to be placed near.",
      podAntiAffinity: "Which Pods to be kept apart from.",
    },
  },
  "core.v1.Toleration": {
    about: "Lets a Pod be scheduled onto nodes with a matching taint.",
    fields: {
      key: "The taint's key; empty with operator Exists matches all keys.",
      operator: "Equal compares the value; Exists does not.",
      value: "The taint's value.",
      effect: "The taint's effect; empty matches all effects.",
      tolerationSeconds: "How long a NoExecute taint is tolerated; unset means for ever.",
    },
  },
  "core.v1.TopologySpreadConstraint": {
    about: "How evenly matching Pods are spread over zones, nodes or other domains.",
    fields: {
      maxSkew: "By how many Pods a domain may exceed the domain with the fewest.",
      topologyKey: "The node label whose values are the domains.",
      whenUnsatisfiable:
        "DoNotSchedule keeps the Pod pending; ScheduleAnyway only prefers nodes that reduce the skew.",
      labelSelector: "Which Pods are counted.",
      minDomains: "With fewer domains than this, the smallest count is taken as 0.",
      nodeAffinityPolicy: "Whether nodes that do not match the Pod's node affinity are counted.",
      nodeTaintsPolicy: "Whether nodes with taints that the Pod does not tolerate are counted.",
      matchLabelKeys: "Labels whose values on the new Pod narrow down which Pods are counted.",
    },
  },
  "core.v1.Volume": {
    about: "Storage that the containers of a Pod can mount.",
    fields: {
      name: "The name by which containers mount the volume.",
    },
  },
  "core.v1.VolumeSource": {
    fields: {
      emptyDir: "A directory that starts empty and is deleted with the Pod.",
      configMap: "The entries of a ConfigMap as files.",
      secret: "The entries of a Secret as files.",
      hostPath: "A path of the node.",
      persistentVolumeClaim: "The storage behind a claim.",
      projected: "Several sources in one directory.",
      downwardAPI: "Fields of the Pod as files.",
    },
  },
};

export const podPresentation: KindPresentation = {
  table: podTable,
  descriptions: { ...podDescriptions, ...containerDescriptions },
};
