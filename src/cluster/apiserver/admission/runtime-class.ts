import type { Pod, PodSpec, Toleration } from "../../../api/generated/core-v1.ts";
import type { RuntimeClass } from "../../../api/generated/node-v1.ts";
import type { Sent } from "../../../api/sent.ts";
import { amountsText, readAmounts } from "../../quota/amounts.ts";
import { type Admission, admit, deny } from "./admission.ts";

/** Returns the Pod with the overhead and node constraints of its RuntimeClass; denies a Pod that contradicts them. */
export function applyRuntimeClass(
  pod: Sent<Pod>,
  find: (name: string) => Sent<RuntimeClass> | undefined,
): Admission<Sent<Pod>> {
  const { spec = {} } = pod;
  const { runtimeClassName } = spec;
  if (runtimeClassName === undefined)
    return hasAmounts(spec.overhead)
      ? deny("pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead")
      : admit(pod);
  const found = find(runtimeClassName);
  if (found === undefined)
    return deny(`pod rejected: RuntimeClass ${JSON.stringify(runtimeClassName)} not found`);
  const problem = overheadProblem(spec, found) ?? selectorProblem(spec, found);
  return problem === undefined ? admit({ ...pod, spec: withClass(spec, found) }) : deny(problem);
}

type Amounts = Sent<PodSpec>["overhead"];

const hasAmounts = (amounts: Amounts) => Object.keys(amounts ?? {}).length > 0;

function overheadProblem({ overhead }: Sent<PodSpec>, found: Sent<RuntimeClass>): string | undefined {
  const { podFixed } = found.overhead ?? {};
  if (!hasAmounts(overhead) || amountsText(readAmounts(overhead)) === amountsText(readAmounts(podFixed)))
    return undefined;
  return "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
}

function selectorProblem(
  { nodeSelector = {} }: Sent<PodSpec>,
  found: Sent<RuntimeClass>,
): string | undefined {
  const conflict = Object.entries(found.scheduling?.nodeSelector ?? {}).find(
    ([key, value]) => Object.hasOwn(nodeSelector, key) && nodeSelector[key] !== value,
  );
  if (conflict === undefined) return undefined;
  const [key, value] = conflict;
  return `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${nodeSelector[key] ?? ""}`;
}

function withClass(
  spec: Sent<PodSpec>,
  { overhead = {}, scheduling = {} }: Sent<RuntimeClass>,
): Sent<PodSpec> {
  const { podFixed = {} } = overhead;
  const { nodeSelector = {}, tolerations = [] } = scheduling;
  return {
    ...spec,
    ...(hasAmounts(podFixed) && { overhead: podFixed }),
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector: { ...spec.nodeSelector, ...nodeSelector } }),
    ...(tolerations.length > 0 && { tolerations: merged(spec.tolerations ?? [], tolerations) }),
  };
}

type Tolerations = readonly Sent<Toleration>[];

function merged(own: Tolerations, more: Tolerations): Tolerations {
  const known = new Set(own.map((toleration) => JSON.stringify(toleration)));
  return [...own, ...more.filter((toleration) => !known.has(JSON.stringify(toleration)))];
}
