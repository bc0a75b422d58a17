import { forbidden, invalid } from "../../../../api/field-error.ts";
import type { Container, Pod } from "../../../../api/generated/core-v1.ts";
import { type FieldErrors, none } from "../../../../api/field-checks.ts";
import { withMember } from "../../../../api/defaulting.ts";
import type { KindStrategy, ObjectUpdate } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";
import { qosClass } from "../../../../api/pod/qos-class.ts";
import { podStrategy } from "./strategy.ts";

type Containers = readonly Sent<Container>[] | undefined;

/** The strategy of `pods/resize`: the CPU and memory of containers may change, and nothing else. */
export const resizeStrategy: KindStrategy<Sent<Pod>> = {
  ...podStrategy,
  prepareForUpdate({ next, previous }) {
    let spec = previous.spec ?? {};
    for (const list of ["containers", "initContainers"] as const)
      spec = withMember(spec, list, withResourcesOf(previous.spec?.[list], next.spec?.[list]));
    return { ...previous, spec };
  },
  validateUpdate: validateResize,
};

function withResourcesOf(previous: Containers, next: Containers): Containers {
  return previous?.map((container) => {
    const sent = next?.find(({ name }) => name === container.name);
    return sent === undefined ? container : withMember(container, "resources", sent.resources);
  });
}

function validateResize({ next, previous }: ObjectUpdate<Sent<Pod>>): FieldErrors {
  const [after, before] = [next.spec ?? {}, previous.spec ?? {}];
  if (qosClass(after) !== qosClass(before))
    return [invalid("spec", qosClass(before), "Pod QOS Class may not change as a result of resizing")];
  return (["containers", "initContainers"] as const).some((list) => changesOther(before[list], after[list]))
    ? [forbidden("spec", "only cpu and memory resources are mutable")]
    : none;
}

const changesOther = (previous: Containers, next: Containers) =>
  JSON.stringify((previous ?? []).map(otherResources)) !== JSON.stringify((next ?? []).map(otherResources));

/** Returns the requests of a container other than CPU and memory, ordered by name. */
function otherResources({ resources = {} }: Sent<Container>): unknown {
  const others = (amounts: Readonly<Record<string, string | number>> = {}) =>
    Object.entries(amounts)
      .filter(([name]) => name !== "cpu" && name !== "memory")
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [others(resources.requests), others(resources.limits), resources.claims ?? []];
}
