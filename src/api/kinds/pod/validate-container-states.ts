import { forbidden } from "../../field-error.ts";
import type {
  Container,
  ContainerRestartRule,
  ContainerStatus,
  Pod,
  PodSpec,
} from "../../generated/core-v1.ts";
import type { FieldErrors } from "../field-checks.ts";
import type { ObjectUpdate } from "../kind-strategy.ts";
import type { Sent } from "../sent.ts";

type Statuses = readonly Sent<ContainerStatus>[];

/** Whether the containers of a Pod that have ended may run again, by name and exit code. */
type MayRestart = (name: string, exitCode: number) => boolean;

const lists: readonly {
  readonly list: "containerStatuses" | "initContainerStatuses" | "ephemeralContainerStatuses";
  readonly restartsOf: (spec: Sent<PodSpec>) => MayRestart;
}[] = [
  { list: "containerStatuses", restartsOf: (spec) => restartsOf(spec, spec.containers) },
  { list: "initContainerStatuses", restartsOf: (spec) => restartsOf(spec, spec.initContainers) },
  { list: "ephemeralContainerStatuses", restartsOf: () => () => false },
];

/** Validates that no container comes back to life that nothing would start again. */
export function validateContainerStates({ next, previous }: ObjectUpdate<Sent<Pod>>): FieldErrors {
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

/** The containers that had ended, and are said to have not. */
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
