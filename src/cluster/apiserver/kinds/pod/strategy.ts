import { extended } from "../../../../api/extended.ts";
import type { Pod, PodCondition, PodSpec, PodStatus } from "../../../../api/generated/core-v1.ts";
import { dns1123LabelProblems } from "../../../../api/names.ts";
import { formatTime, type Instant } from "../../../../api/time.ts";
import { fillAbsent, mapMembers, withMember } from "../../../../api/defaulting.ts";
import { type KindStrategy, statusUpdateOf } from "../kind-strategy.ts";
import { appArmorWarnings } from "../pod-spec/annotation-warnings.ts";
import { podWarnings } from "../pod-spec/pod-warnings.ts";
import type { Sent } from "../../../../api/sent.ts";
import { withAppArmorFields } from "./app-armor-fields.ts";
import { mergeLabelKeys } from "../../../../api/pod/merge-label-keys.ts";
import { podDefaults } from "../../../../api/pod/pod-defaults.ts";
import { qosClass } from "../../../../api/pod/qos-class.ts";
import { validatePodStatus } from "./validate-pod-status.ts";
import { validatePodUpdate } from "./validate-pod-update.ts";
import { validatePod } from "./validate-pod.ts";

/** The strategy of Pods. */
export const podStrategy: KindStrategy<Sent<Pod>> = {
  defaults: podDefaults,
  prepareForCreate(sent, { now }) {
    const object = withAppArmorFields(sent);
    const spec = mergeLabelKeys(object.spec ?? {}, object.metadata?.labels ?? {});
    const isGated = (spec.schedulingGates ?? []).length > 0;
    const status = { phase: "Pending", qosClass: qosClass(spec) };
    const initial = isGated ? { ...status, conditions: [gatedSince(now)] } : status;
    return extended(object, { spec, status: initial });
  },
  prepareForStatusUpdate(update) {
    const { previous } = update;
    return mapMembers(statusUpdateOf(update), {
      // Old kubelets corrupt owner references.
      metadata: (metadata) => withMember(metadata, "ownerReferences", previous.metadata?.ownerReferences),
      status: (status) => withServerFields(status, previous.status ?? {}),
    });
  },
  validate: validatePod,
  validateUpdate: validatePodUpdate,
  validateStatusUpdate: validatePodStatus,
  warningsAboutSent: appArmorWarnings,
  warnings({ metadata, spec }, _context, stored) {
    // Only creations warn: components make the updates of Pods.
    return stored === undefined
      ? [
          ...hostNameWarnings(metadata?.name ?? ""),
          ...podWarnings({ metadata: metadata ?? {}, spec: spec ?? {} }, ""),
        ]
      : [];
  },
  selectableFields: podFields,
  needsComponent: true,
  generation: "spec",
  unconditionalUpdate: true,
  returnsObjectOnDelete: true,
};

function hostNameWarnings(name: string): readonly string[] {
  const problems = dns1123LabelProblems(name);
  if (problems.length === 0) return [];
  const effect = "this is used in the Pod's hostname, which can result in surprising behavior";
  return [`metadata.name: ${effect}; a DNS label is recommended: [${problems.join(" ")}]`];
}

function gatedSince(now: Instant): Sent<PodCondition> {
  return {
    type: "PodScheduled",
    status: "False",
    lastTransitionTime: formatTime(now),
    reason: "SchedulingGated",
    message: "Scheduling is blocked due to non-empty scheduling gates",
  };
}

/** Keeps the fields that the server sets if a status update leaves them out. */
function withServerFields(status: Sent<PodStatus>, previous: Sent<PodStatus>): Sent<PodStatus> {
  const { qosClass, observedGeneration, conditions = [] } = previous;
  const known = fillAbsent(status, {
    ...(qosClass === undefined ? {} : { qosClass }),
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  });
  return mapMembers(known, { conditions: (next) => withGenerationsOf(conditions, next) });
}

type Conditions = readonly Sent<PodCondition>[];

/** Keeps the generations of conditions; conditions of the same type, which Kubernetes allows, are matched in order. */
function withGenerationsOf(previous: Conditions, next: Conditions): Conditions {
  const left = new Map<string, (number | undefined)[]>();
  for (const { type = "", observedGeneration } of previous.toReversed()) {
    const known = left.get(type);
    if (known === undefined) left.set(type, [observedGeneration]);
    else known.push(observedGeneration);
  }
  return next.map((condition) => {
    const generation = left.get(condition.type ?? "")?.pop();
    return generation === undefined ? condition : fillAbsent(condition, { observedGeneration: generation });
  });
}

/** Returns the fields that Pods can be selected by. */
export function podFields({ spec = {}, status = {} }: Sent<Pod>): Readonly<Record<string, string>> {
  return { ...specFields(spec), ...statusFields(status) };
}

/** Returns the fields of the spec; `spec.host` is the old name of `spec.nodeName`. */
function specFields(spec: Sent<PodSpec>): Readonly<Record<string, string>> {
  const { nodeName = "", restartPolicy = "", schedulerName = "", serviceAccountName = "" } = spec;
  return {
    "spec.nodeName": nodeName,
    "spec.host": nodeName,
    "spec.restartPolicy": restartPolicy,
    "spec.schedulerName": schedulerName,
    "spec.serviceAccountName": serviceAccountName,
    "spec.hostNetwork": String(spec.hostNetwork === true),
  };
}

function statusFields({
  phase = "",
  nominatedNodeName = "",
  podIPs = [],
}: Sent<PodStatus>): Readonly<Record<string, string>> {
  const podIP = podIPs[0]?.ip ?? "";
  return {
    "status.phase": phase,
    "status.podIP": podIP,
    "status.podIPs": podIP,
    "status.nominatedNodeName": nominatedNodeName,
  };
}
