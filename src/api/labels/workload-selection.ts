import type { LabelSelector } from "../generated/meta-v1.ts";
import { compileLabelMap, compileLabelSelector } from "./compile-label-selector.ts";
import type { LabelSelection } from "./label-selector.ts";

interface Selecting<S> {
  readonly spec?: { readonly selector?: S };
}

/** Returns the selection of an owner; `undefined` when its selector is empty or invalid, in which case it selects nothing. */
export const workloadSelection = oncePerObject(({ spec }: Selecting<LabelSelector>) => {
  const compiled = compileLabelSelector(spec?.selector);
  return compiled.ok ? unlessEmpty(compiled.selection) : undefined;
});

/** Variant for an owner whose selector is a map of labels, such as a ReplicationController. */
export const labelMapSelection = oncePerObject(({ spec }: Selecting<Readonly<Record<string, string>>>) =>
  unlessEmpty(compileLabelMap(spec?.selector)),
);

/** A selector without requirements matches every object: an owner with such a selector claims nothing. */
function unlessEmpty(selection: LabelSelection): LabelSelection | undefined {
  return selection.selects === "nothing" || selection.requirements.length === 0 ? undefined : selection;
}

/** Caches the result while the object exists: objects never change, and every orphan is matched against each of them. */
function oncePerObject<T extends object, R>(read: (object: T) => R): (object: T) => R {
  const results = new WeakMap<T, { readonly result: R }>();
  return (object) => {
    const known = results.get(object) ?? { result: read(object) };
    results.set(object, known);
    return known.result;
  };
}
