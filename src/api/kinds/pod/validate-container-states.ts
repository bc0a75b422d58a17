import { forbidden } from "../../field-error.ts";
import type {
  Container,
  ContainerRestartRule,
  ContainerStatus,
  Pod,
  PodSpec,
} from "../../generated/core-v1.ts";
import type { FieldErrors } from "../field-checks.ts";
import type { Change } from "../manners.ts";
import type { Sent } from "../sent.ts";

type Statuses = readonly Sent<ContainerStatus>[];

/** Whether a container of a Pod that ended may run again. */
type MayRestart = (spec: Sent<PodSpec>, name: string, exitCode: number) => boolean;

const lists: readonly {
  readonly list: "containerStatuses" | "initContainerStatuses" | "ephemeralContainerStatuses";
  readonly mayRestart: MayRestart;
}[] = [
  {
    list: "containerStatuses",
    mayRestart: (spec, name, exitCode) => isRestarted(spec, containerOf(spec.containers, name), exitCode),
  },
  {
    list: "initContainerStatuses",
    mayRestart: (spec, name, exitCode) => isRestarted(spec, containerOf(spec.initContainers, name), exitCode),
  },
  { list: "ephemeralContainerStatuses", mayRestart: () => false },
];

/** Validates that no container comes back to life that nothing would start again. */
export function validateContainerStates({ next, previous }: Change<Sent<Pod>>): FieldErrors {
  const { spec = {}, status: before = {} } = previous;
  const { status: after = {} } = next;
  return lists.flatMap(({ list, mayRestart }) =>
    revived(before[list] ?? [], after[list] ?? [])
      .filter(({ name, exitCode }) => !mayRestart(spec, name, exitCode))
      .map(({ index }) =>
        forbidden(`status.${list}[${index}].state`, "may not be transitioned to non-terminated state"),
      ),
  );
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

function containerOf(containers: readonly Sent<Container>[] | undefined, name: string): Sent<Container> {
  return containers?.find((container) => container.name === name) ?? {};
}

function isRestarted(spec: Sent<PodSpec>, container: Sent<Container>, exitCode: number): boolean {
  const { restartPolicy = spec.restartPolicy ?? "Always", restartPolicyRules = [] } = container;
  if (restartPolicy === "Always" || (restartPolicy === "OnFailure" && exitCode !== 0)) return true;
  return restartPolicyRules.some((rule) => appliesTo(rule, exitCode)) || hasRestartOfAll(spec);
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
