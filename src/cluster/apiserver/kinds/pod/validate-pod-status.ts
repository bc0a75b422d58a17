import { forbidden, invalid } from "../../../../api/field-error.ts";
import type {
  Container,
  ContainerRestartRule,
  ContainerStatus,
  Pod,
  PodCondition,
  PodSpec,
  PodStatus,
} from "../../../../api/generated/core-v1.ts";
import { ipProblems, parseIp } from "../../../../api/ip-address.ts";
import { dns1123SubdomainProblems } from "../../../../api/names.ts";
import { each, type FieldErrors, immutable, none, wellFormed } from "../../../../api/field-checks.ts";
import type { ObjectUpdate, StrategyContext } from "../kind-strategy.ts";
import { validateLabelKey } from "../../../../api/labels/validate-selector.ts";
import { validatePodAnnotations } from "../pod-spec/validation/pod-annotations.ts";
import type { Sent } from "../../../../api/sent.ts";
import { validateAnnotationsKept } from "./validate-pod-update.ts";

/** Validates an update of a Pod's status. */
export function validatePodStatus(update: ObjectUpdate<Sent<Pod>>, context: StrategyContext): FieldErrors {
  const { next, previous } = update;
  const { status = {} } = next;
  const before = previous.status ?? {};
  return [
    ...validateAnnotationsKept(update),
    ...validatePodAnnotations({ pod: next, stored: previous }, "metadata.annotations", context),
    ...each(status.conditions, "status.conditions", validateCondition),
    ...validateNomination(status.nominatedNodeName ?? "", previous),
    ...generation(status.observedGeneration, "status.observedGeneration"),
    ...immutable(status.qosClass ?? "", before.qosClass ?? "", "status.qosClass"),
    ...validateContainerStates(update),
    ...validateIps(status.podIPs, before.podIPs, "status.podIPs"),
    ...validateHostIp(status),
    ...validateIps(status.hostIPs, before.hostIPs, "status.hostIPs"),
  ];
}

const ownConditions: ReadonlySet<string> = new Set(["PodScheduled", "Ready", "Initialized"]);

function validateCondition({ type = "", observedGeneration }: Sent<PodCondition>, path: string): FieldErrors {
  return [
    ...generation(observedGeneration, `${path}.observedGeneration`),
    ...(ownConditions.has(type) ? none : validateLabelKey(type, `${path}.Type`)),
  ];
}

function generation(value: number | undefined, path: string): FieldErrors {
  return value === undefined || value >= 0 ? none : [invalid(path, value, "must be a non-negative integer")];
}

function validateNomination(name: string, { spec, status }: Sent<Pod>): FieldErrors {
  if (name === "" || name === status?.nominatedNodeName) return none;
  const path = "status.nominatedNodeName";
  const isBound = (spec?.nodeName ?? "") !== "";
  return [
    ...wellFormed(name, path, dns1123SubdomainProblems),
    ...(isBound ? [forbidden(path, "may not be set on pods that are already bound to a node")] : none),
  ];
}

type Addresses = readonly { readonly ip?: string }[] | undefined;

function validateIps(next: Addresses, previous: Addresses, path: string): FieldErrors {
  const known = new Set(previous?.map(({ ip }) => ip));
  const syntax = each(next, path, ({ ip = "" }, at) =>
    known.has(ip) ? none : ipProblems(ip).map((problem) => invalid(at, ip, problem)),
  );
  const families = (next ?? []).map(({ ip = "" }) => parseIp(ip)?.length);
  const isClash = new Set(families).size !== families.length;
  return isClash
    ? [...syntax, invalid(path, next, "may specify no more than one IP for each IP family")]
    : syntax;
}

function validateHostIp({ hostIP = "", hostIPs = [] }: Sent<PodStatus>): FieldErrors {
  const first = hostIPs[0]?.ip ?? "";
  return hostIPs.length === 0 || first === hostIP
    ? none
    : [invalid("status.hostIPs[0].ip", first, "must be equal to `hostIP`")];
}

type Statuses = readonly Sent<ContainerStatus>[];

/** Reports whether a terminated container may be restarted, by name and exit code. */
type MayRestart = (name: string, exitCode: number) => boolean;

const lists: readonly {
  readonly list: "containerStatuses" | "initContainerStatuses" | "ephemeralContainerStatuses";
  readonly restartsOf: (spec: Sent<PodSpec>) => MayRestart;
}[] = [
  { list: "containerStatuses", restartsOf: (spec) => restartsOf(spec, spec.containers) },
  { list: "initContainerStatuses", restartsOf: (spec) => restartsOf(spec, spec.initContainers) },
  { list: "ephemeralContainerStatuses", restartsOf: () => () => false },
];

/** Validates that terminated containers do not run again unless the restart policy allows it. */
function validateContainerStates({ next, previous }: ObjectUpdate<Sent<Pod>>): FieldErrors {
  const { spec = {}, status: before = {} } = previous;
  const { status: after = {} } = next;
  return lists.flatMap(({ list, restartsOf }) => {
    const back = revived(before[list] ?? [], after[list] ?? []);
    const mayRestart = back.length === 0 ? undefined : restartsOf(spec);
    return back
      .filter(({ name, exitCode }) => mayRestart?.(name, exitCode) !== true)
      .map(({ index }) =>
        forbidden(`status.${list}[${index}].state`, "may not be transitioned to non-terminated state"),
      );
  });
}

interface Revived {
  readonly index: number;
  readonly name: string;
  readonly exitCode: number;
}

/** Returns the containers that were terminated and no longer are. */
function revived(before: Statuses, after: Statuses): readonly Revived[] {
  const now = new Map(after.map((status) => [status.name, status]));
  return before.flatMap(({ name = "", state }, index) => {
    const ended = state?.terminated;
    const current = now.get(name);
    const isBack = current !== undefined && current.state?.terminated === undefined;
    return ended !== undefined && isBack ? [{ index, name, exitCode: ended.exitCode ?? 0 }] : [];
  });
}

function restartsOf(spec: Sent<PodSpec>, containers: readonly Sent<Container>[] | undefined): MayRestart {
  const byName = new Map(containers?.map((container) => [container.name, container]));
  const restartsAll = hasRestartOfAll(spec);
  return (name, exitCode) => {
    const { restartPolicy = spec.restartPolicy ?? "Always", restartPolicyRules = [] } =
      byName.get(name) ?? {};
    if (restartsAll || restartPolicy === "Always") return true;
    if (restartPolicy === "OnFailure" && exitCode !== 0) return true;
    return restartPolicyRules.some((rule) => appliesTo(rule, exitCode));
  };
}

function appliesTo({ exitCodes }: Sent<ContainerRestartRule>, exitCode: number): boolean {
  if (exitCodes === undefined) return false;
  const isListed = (exitCodes.values ?? []).includes(exitCode);
  return exitCodes.operator === "NotIn" ? !isListed : isListed;
}

function hasRestartOfAll({ containers = [], initContainers = [] }: Sent<PodSpec>): boolean {
  return [...containers, ...initContainers].some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === "RestartAllContainers"),
  );
}
