import { extended } from "../../../api/extended.ts";
import type { Pod, PodSpec } from "../../../api/generated/core-v1.ts";
import type { PriorityClass } from "../../../api/generated/scheduling-v1.ts";
import { systemPriorities } from "../kinds/priority-class/strategy.ts";
import { withMember } from "../../../api/defaulting.ts";
import type { ObjectUpdate } from "../kinds/kind-strategy.ts";
import type { Sent } from "../../../api/sent.ts";
import { type Admission, admit, deny } from "./admission.ts";

type Classes = readonly Sent<PriorityClass>[];

/** The class of Pods that name none when no class is the global default. */
const noPriorityClass: Sent<PriorityClass> = { value: 0, preemptionPolicy: "PreemptLowerPriority" };

/** Returns the Pod with the priority of its class; denies a Pod whose own priority differs. */
export function resolvePriority(pod: Sent<Pod>, classes: Classes): Admission<Sent<Pod>> {
  const { spec = {} } = pod;
  const { priorityClassName: wanted = "" } = spec;
  const found = wanted === "" ? globalDefaultClass(classes) : classes.find((each) => nameOf(each) === wanted);
  if (found === undefined) return deny(`no PriorityClass with name ${wanted} was found`);
  const mismatch = priorityMismatch(spec, found);
  return mismatch === undefined ? admit(withClass(pod, found)) : deny(mismatch);
}

/** Admits the deletion of a PriorityClass that is not built in. */
export function admitPriorityClassDelete(name: string): Admission<undefined> {
  return systemPriorities.has(name)
    ? deny("this is a system priority class and cannot be deleted")
    : admit(undefined);
}

/** Describes how the Pod's own priority or preemption policy differs from its class's. */
function priorityMismatch(
  { priority, preemptionPolicy }: Sent<PodSpec>,
  found: Sent<PriorityClass>,
): string | undefined {
  const { value = 0, preemptionPolicy: policy = preemptionPolicy } = found;
  if (priority !== undefined && priority !== value)
    return `the integer value of priority (${priority}) must not be provided in pod spec; ${computed(value)}`;
  if (preemptionPolicy === undefined || preemptionPolicy === policy) return undefined;
  return `the string value of PreemptionPolicy (${preemptionPolicy}) must not be provided in pod spec; ${computed(policy)}`;
}

function computed(value: number | string | undefined): string {
  return `priority admission controller computed ${value} from the given PriorityClass name`;
}

function withClass(pod: Sent<Pod>, found: Sent<PriorityClass>): Sent<Pod> {
  const name = nameOf(found);
  const { value = 0, preemptionPolicy } = found;
  const ranked: Sent<PodSpec> = extended(pod.spec, {
    priority: value,
    ...(name !== "" && { priorityClassName: name }),
    ...(preemptionPolicy !== undefined && { preemptionPolicy }),
  });
  return { ...pod, spec: ranked };
}

function nameOf({ metadata }: Sent<PriorityClass>): string {
  return metadata?.name ?? "";
}

/** Returns the class of Pods that name none; the lowest of several global defaults, which a race can leave behind. */
function globalDefaultClass(classes: Classes): Sent<PriorityClass> {
  return defaultsAmong(classes)[0] ?? noPriorityClass;
}

function defaultsAmong(classes: Classes): Classes {
  return classes
    .filter(({ globalDefault }) => globalDefault === true)
    .toSorted((a, b) => (a.value ?? 0) - (b.value ?? 0));
}

/** Returns the updated Pod with the stored priority where the client leaves it out. */
export function keepPriority({ next, previous }: ObjectUpdate<Sent<Pod>>): Sent<Pod> {
  const before = previous.spec ?? {};
  let spec = next.spec ?? {};
  if (spec.priority === undefined && before.priority !== undefined)
    spec = withMember(spec, "priority", before.priority);
  if (spec.preemptionPolicy === undefined && before.preemptionPolicy !== undefined)
    spec = withMember(spec, "preemptionPolicy", before.preemptionPolicy);
  return spec === next.spec ? next : { ...next, spec };
}

/** Denies a second global default. */
export function admitPriorityClass(
  object: Sent<PriorityClass>,
  classes: Classes,
): Admission<Sent<PriorityClass>> {
  const [known] = object.globalDefault === true ? defaultsAmong(classes) : [];
  if (known === undefined || nameOf(known) === nameOf(object)) return admit(object);
  return deny(`PriorityClass ${nameOf(known)} is already marked as default. Only one default can exist`);
}
