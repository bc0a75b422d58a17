import { duplicate, invalid, required } from "../../../../../api/field-error.ts";
import type { PodSpec } from "../../../../../api/generated/core-v1.ts";
import { validateLabels } from "../../../../../api/labels/label-syntax.ts";
import { dns1123SubdomainProblems } from "../../../../../api/names.ts";
import { parseQuantity, zero } from "../../../../../api/quantity/quantity.ts";
import {
  each,
  type FieldErrors,
  none,
  requiredOneOf,
  requiredText,
  wellFormed,
  within,
} from "../../../../../api/field-checks.ts";
import { validateLabelKey } from "../../../../../api/labels/validate-selector.ts";
import type { Sent } from "../../../../../api/sent.ts";
import { validateAffinity } from "./affinity.ts";
import { validateHostNetworkPorts } from "./container-ports.ts";
import {
  type PodContext,
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
} from "./containers.ts";
import { validateNamesAndDns } from "./names-and-dns.ts";
import { validateTolerations, validateTopologySpread } from "./placement.ts";
import { validateAmount, validateResources } from "./resources.ts";
import { validateHostUsers, validatePodSecurityContext } from "./security-context.ts";
import { validateVolumes } from "./volumes.ts";

/** Validates the spec of a Pod or of a template; a few checks apply to Pods only. */
export function validatePodSpec(spec: Sent<PodSpec>, path: string, of: "pod" | "template"): FieldErrors {
  return [
    ...validateContents(spec, path, of),
    ...requiredOneOf(spec.restartPolicy, `${path}.restartPolicy`, ["Always", "OnFailure", "Never"]),
    ...validatePodSecurityContext(spec, path),
    ...validateHostUsers(spec, path),
    ...validateNamesAndDns(spec, path),
    ...validatePlacement(spec, path),
    ...validateReferences(spec, path),
    ...within(spec.activeDeadlineSeconds, `${path}.activeDeadlineSeconds`, { min: 1, max: 2 ** 31 - 1 }),
  ];
}

function validateContents(spec: Sent<PodSpec>, path: string, of: "pod" | "template"): FieldErrors {
  const { containers, initContainers, ephemeralContainers, resourceClaims = [] } = spec;
  const { errors, usable } = validateVolumes(spec.volumes, `${path}.volumes`);
  const claimNames = new Set(resourceClaims.map(({ name = "" }) => name));
  const pod: PodContext = {
    volumes: usable,
    claimNames,
    restartPolicy: spec.restartPolicy ?? "",
    gracePeriodSeconds: spec.terminationGracePeriodSeconds,
  };
  const others = new Set([...(containers ?? []), ...(initContainers ?? [])].map(({ name = "" }) => name));
  return [
    ...(pod.gracePeriodSeconds === undefined ? [required(`${path}.terminationGracePeriodSeconds`)] : none),
    ...errors,
    ...validateContainers(containers, `${path}.containers`, pod),
    ...validateInitContainers({ initContainers, containers }, `${path}.initContainers`, pod),
    ...validateEphemeralContainers(ephemeralContainers, `${path}.ephemeralContainers`, { others, pod }),
    ...validateResources(spec.resources, `${path}.resources`, claimNames),
    ...validateHostNetworkPorts(spec, path, of),
  ];
}

function validatePlacement(spec: Sent<PodSpec>, path: string): FieldErrors {
  return [
    ...validateLabels(spec.nodeSelector, `${path}.nodeSelector`),
    ...validateAffinity(spec.affinity, `${path}.affinity`),
    ...validateSchedulingGates(spec.schedulingGates, `${path}.schedulingGates`),
    ...validateTopologySpread(spec.topologySpreadConstraints, `${path}.topologySpreadConstraints`),
    ...validateTolerations(spec.tolerations, `${path}.tolerations`),
    ...(spec.preemptionPolicy === undefined
      ? none
      : requiredOneOf(spec.preemptionPolicy, `${path}.preemptionPolicy`, ["PreemptLowerPriority", "Never"])),
    ...Object.entries(spec.overhead ?? {}).flatMap(([name, amount]) =>
      validateAmount(name, parseQuantity(amount) ?? zero, `${path}.overhead.limits[${name}]`),
    ),
  ];
}

function validateSchedulingGates(gates: Sent<PodSpec>["schedulingGates"], path: string): FieldErrors {
  const names = new Set<string>();
  return each(gates, path, ({ name = "" }, at) => {
    const isRepeated = names.has(name);
    names.add(name);
    return [...validateLabelKey(name, at), ...(isRepeated ? [duplicate(at, name)] : none)];
  });
}

function validateReferences(spec: Sent<PodSpec>, path: string): FieldErrors {
  return [
    ...each(spec.readinessGates, `${path}.readinessGates`, ({ conditionType }, at) =>
      validateLabelKey(conditionType, `${at}.conditionType`),
    ),
    ...wellFormed(spec.serviceAccountName, `${path}.serviceAccountName`, dns1123SubdomainProblems),
    ...wellFormed(spec.nodeName, `${path}.nodeName`, dns1123SubdomainProblems),
    ...wellFormed(spec.priorityClassName, `${path}.priorityClassName`, dns1123SubdomainProblems),
    ...validateRuntimeClass(spec.runtimeClassName, `${path}.runtimeClassName`),
    ...(spec.os === undefined ? none : requiredOs(spec.os.name, `${path}.os`)),
  ];
}

function validateRuntimeClass(name: string | undefined, path: string): FieldErrors {
  if (name === undefined) return none;
  return dns1123SubdomainProblems(name).map((problem) => invalid(path, name, problem));
}

function requiredOs(name: string | undefined, path: string): FieldErrors {
  const missing = requiredText(name, `${path}.name`);
  return missing.length > 0 ? missing : requiredOneOf(name, path, ["linux", "windows"]);
}
