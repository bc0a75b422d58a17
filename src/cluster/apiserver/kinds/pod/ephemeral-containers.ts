import { forbidden } from "../../../../api/field-error.ts";
import type { EphemeralContainer, Pod } from "../../../../api/generated/core-v1.ts";
import { semanticEqual } from "../../../../api/schema/semantic-equality.ts";
import { type FieldErrors, none } from "../../../../api/field-checks.ts";
import { withMember } from "../../../../api/defaulting.ts";
import type { KindStrategy, ObjectUpdate } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";
import { podStrategy } from "./strategy.ts";

/** The strategy of `pods/ephemeralcontainers`: containers may be added, and nothing else may change. */
export const ephemeralContainersStrategy: KindStrategy<Sent<Pod>> = {
  ...podStrategy,
  prepareForUpdate({ next, previous }) {
    const spec = withMember(
      previous.spec ?? {},
      "ephemeralContainers",
      next.spec?.ephemeralContainers ?? previous.spec?.ephemeralContainers,
    );
    return { ...previous, spec };
  },
  validateUpdate: validateKept,
};

function validateKept({ next, previous }: ObjectUpdate<Sent<Pod>>): FieldErrors {
  const after = new Map(
    (next.spec?.ephemeralContainers ?? []).map((container) => [container.name, container]),
  );
  return (previous.spec?.ephemeralContainers ?? []).flatMap((container) => keptProblem(container, after));
}

function keptProblem(
  container: Sent<EphemeralContainer>,
  after: ReadonlyMap<string | undefined, Sent<EphemeralContainer>>,
): FieldErrors {
  const next = after.get(container.name);
  const which = `existing ephemeral containers ${JSON.stringify(container.name ?? "")}`;
  if (next === undefined) return [forbidden("spec.ephemeralContainers", `${which} may not be removed\n`)];
  return semanticEqual("core.v1.EphemeralContainer", next, container)
    ? none
    : [forbidden("spec.ephemeralContainers", `${which} may not be changed\n`)];
}
