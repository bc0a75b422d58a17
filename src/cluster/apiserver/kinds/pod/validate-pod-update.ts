import { forbidden, invalid } from "../../../../api/field-error.ts";
import type { Container, Pod, PodSpec, Toleration } from "../../../../api/generated/core-v1.ts";
import { mirrorAnnotation } from "../../../../api/pod-state.ts";
import { type FieldErrors, none, within } from "../../../../api/field-checks.ts";
import { withMember } from "../../../../api/defaulting.ts";
import type { ObjectUpdate } from "../kind-strategy.ts";
import { changedPaths } from "../../../../api/schema/changed-paths.ts";
import { semanticEqual } from "../../../../api/schema/semantic-equality.ts";
import { isAppArmorAnnotation } from "../pod-spec/app-armor-annotations.ts";
import type { Sent } from "../../../../api/sent.ts";
import { validateGatedPlacement, withPlacementOf } from "./gated-placement.ts";

type Specs = ObjectUpdate<Sent<PodSpec>>;

const changeable = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
].join(",");

/** Validates that an update of a Pod changes mutable fields only. */
export function validatePodUpdate({ next, previous }: ObjectUpdate<Sent<Pod>>): FieldErrors {
  const specs = { next: next.spec ?? {}, previous: previous.spec ?? {} };
  const annotations = validateAnnotationsKept({ next, previous });
  const recounted = [...validateCount(specs, "containers"), ...validateCount(specs, "initContainers")];
  if (recounted.length > 0) return [...annotations, ...recounted];
  return [
    ...annotations,
    ...validateDeadline(specs),
    ...validateTolerationsKept(specs),
    ...validateGatesRemoved(specs),
    ...validateGatedPlacement(specs),
    ...validateRest(specs),
  ];
}

/** Validates that an update of a Pod or of its status does not change the annotations that kubelets read only once. */
export function validateAnnotationsKept({ next, previous }: ObjectUpdate<Sent<Pod>>): FieldErrors {
  if (next.metadata?.annotations === previous.metadata?.annotations) return none;
  const after = next.metadata?.annotations ?? {};
  const before = previous.metadata?.annotations ?? {};
  const changed = Object.keys(before).filter((key) => after[key] !== before[key]);
  const added = Object.keys(after).filter((key) => before[key] === undefined);
  return [
    ...changed.flatMap((key) => forbiddenChange(key, "remove or update")),
    ...added.flatMap((key) => forbiddenChange(key, "add")),
  ];
}

function forbiddenChange(key: string, change: string): FieldErrors {
  const path = `metadata.annotations[${key}]`;
  if (isAppArmorAnnotation(key)) return [forbidden(path, `may not ${change} AppArmor annotations`)];
  if (key === mirrorAnnotation) return [forbidden(path, `may not ${change} mirror pod annotation`)];
  return none;
}

function validateCount({ next, previous }: Specs, list: "containers" | "initContainers"): FieldErrors {
  const isSame = (next[list] ?? []).length === (previous[list] ?? []).length;
  return isSame ? none : [forbidden(`spec.${list}`, "pod updates may not add or remove containers")];
}

function validateDeadline({ next, previous }: Specs): FieldErrors {
  const path = "spec.activeDeadlineSeconds";
  const after = next.activeDeadlineSeconds;
  const before = previous.activeDeadlineSeconds;
  if (after === undefined)
    return before === undefined
      ? none
      : [invalid(path, null, "must not update from a positive integer to nil value")];
  const range = within(after, path, { min: 0, max: 2 ** 31 - 1 });
  if (range.length > 0) return range;
  const longer = before !== undefined && before < after;
  return longer ? [invalid(path, after, "must be less than or equal to previous value")] : none;
}

function validateTolerationsKept({ next, previous }: Specs): FieldErrors {
  const after = new Set(next.tolerations?.map(tolerated));
  if (previous.tolerations?.every((toleration) => after.has(tolerated(toleration))) !== false) return none;
  const rule = "existing toleration can not be modified except its tolerationSeconds";
  return [forbidden("spec.tolerations", rule)];
}

/** Identifies a toleration without its tolerationSeconds. */
function tolerated({ key, operator, value, effect }: Sent<Toleration>): string {
  return JSON.stringify([key, operator, value, effect]);
}

function validateGatesRemoved({ next, previous }: Specs): FieldErrors {
  const before = new Set(previous.schedulingGates?.map(({ name }) => name));
  return (next.schedulingGates ?? []).flatMap(({ name = "" }, index) => {
    const rule = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return before.has(name) ? none : [forbidden(`spec.schedulingGates[${index}].name`, rule)];
  });
}

/** Resets the mutable fields; a spec that still differs has changed an immutable field. */
function validateRest(specs: Specs): FieldErrors {
  const { previous } = specs;
  const rest = withPlacementOf(previous, withoutAllowedChanges(specs));
  if (semanticEqual("core.v1.PodSpec", rest, previous)) return none;
  const changed = changedPaths("core.v1.PodSpec", [previous, rest], "spec").slice(0, 5).join(", ");
  return [
    forbidden("spec", `pod updates may not change fields other than ${changeable}\nchanged: ${changed}`),
  ];
}

function withoutAllowedChanges({ next, previous }: Specs): Sent<PodSpec> {
  const before = previous.terminationGracePeriodSeconds ?? 0;
  const isRepaired = before < 0 && next.terminationGracePeriodSeconds === 1;
  const keeping = ["activeDeadlineSeconds", "schedulingGates", "tolerations"] as const;
  let spec = isRepaired ? { ...next, terminationGracePeriodSeconds: before } : next;
  for (const member of keeping) spec = withMember(spec, member, previous[member]);
  spec = withMember(spec, "containers", withImagesOf(previous.containers, next.containers));
  return withMember(spec, "initContainers", withImagesOf(previous.initContainers, next.initContainers));
}

type Containers = readonly Sent<Container>[] | undefined;

function withImagesOf(previous: Containers, next: Containers): Containers {
  return next?.map((container, index) => withMember(container, "image", previous?.[index]?.image));
}
