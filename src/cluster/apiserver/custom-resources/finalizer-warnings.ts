import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";

const standard: ReadonlySet<string> = new Set(["orphan", "foregroundDeletion", "kubernetes"]);

/** Warns of finalizers that are new and whose names no domain qualifies. */
export function finalizerWarnings(
  { finalizers = [] }: ObjectMeta,
  stored: ObjectMeta | undefined,
): readonly string[] {
  return finalizers
    .filter(
      (name) => !name.includes("/") && !standard.has(name) && !(stored?.finalizers ?? []).includes(name),
    )
    .map(
      (name) =>
        `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified finalizer name to avoid accidental ` +
        "conflicts with other finalizer writers",
    );
}
