import { namespaceNameLabel } from "../../../../api/well-known.ts";
import { invalid } from "../../../../api/field-error.ts";
import type { Namespace } from "../../../../api/generated/core-v1.ts";
import { qualifiedNameProblems } from "../../../../api/labels/label-syntax.ts";
import { dns1123LabelProblems } from "../../../../api/names.ts";
import { isBeingDeleted } from "../../../../api/object.ts";
import { each, type FieldErrors, none } from "../../../../api/field-checks.ts";
import { withMember } from "../../../../api/defaulting.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";

const ownFinalizer = "kubernetes";

/** The strategy of Namespaces; a finalizer keeps a namespace until it is empty. */
export const namespaceStrategy: KindStrategy<Sent<Namespace>> = {
  nameProblems: dns1123LabelProblems,
  defaults(object) {
    const { name = "", labels } = object.metadata ?? {};
    if (name === "" || labels?.[namespaceNameLabel] === name) return object;
    return { ...object, metadata: { ...object.metadata, labels: { ...labels, [namespaceNameLabel]: name } } };
  },
  prepareForCreate(object) {
    const finalizers = object.spec?.finalizers ?? [];
    const held = finalizers.includes(ownFinalizer) ? finalizers : [...finalizers, ownFinalizer];
    return { ...object, spec: { ...object.spec, finalizers: held }, status: { phase: "Active" } };
  },
  prepareForUpdate({ next, previous }) {
    // Only `/finalize` may change `spec.finalizers`.
    return withMember(next, "spec", previous.spec);
  },
  validate({ spec }) {
    return validateNamespaceFinalizers(spec?.finalizers, "spec.finalizers");
  },
  validateStatusUpdate({ next }) {
    return validatePhase(next);
  },
  selectableFields({ metadata, status }) {
    return { "status.phase": status?.phase ?? "", name: metadata?.name ?? "" };
  },
  unconditionalUpdate: true,
  returnsObjectOnDelete: true,
};

const shortNames: ReadonlySet<string> = new Set([ownFinalizer, "orphan", "foregroundDeletion"]);

/** Validates `spec.finalizers`; also for `/finalize`. */
export function validateNamespaceFinalizers(
  finalizers: readonly string[] | undefined,
  path: string,
): FieldErrors {
  const rule = "name is neither a standard finalizer name nor is it fully qualified";
  // upstream puts these errors at the list
  return each(finalizers, path, (name) => [
    ...qualifiedNameProblems(name).map((problem) => invalid(path, name, problem)),
    ...(name.includes("/") || shortNames.has(name) ? none : [invalid(path, name, rule)]),
  ]);
}

function validatePhase(namespace: Sent<Namespace>): FieldErrors {
  const { status } = namespace;
  const [wanted, when] = isBeingDeleted(namespace) ? ["Terminating", "not empty"] : ["Active", "empty"];
  const phase = status?.phase ?? "";
  const rule = `may only be '${wanted}' if \`deletionTimestamp\` is ${when}`;
  return phase === wanted ? none : [invalid("status.Phase", phase, rule)];
}
