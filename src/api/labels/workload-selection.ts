import type { LabelSelector } from "../generated/meta-v1.ts";
import { compileLabelMap, compileLabelSelector } from "./compile-label-selector.ts";
import type { LabelSelection } from "./label-selector.ts";

interface Selecting<S> {
  readonly spec?: { readonly selector?: S };
}

/** What an owner selects; `undefined` when its selector is empty or cannot be read: then it selects nothing. */
export const workloadSelection = oncePerObject(({ spec }: Selecting<LabelSelector>) => {
  const compiled = compileLabelSelector(spec?.selector);
  return compiled.ok ? unlessEmpty(compiled.selection) : undefined;
});

/** The same for an owner whose selector is a map of labels, as a ReplicationController's is. */
export const labelMapSelection = oncePerObject(({ spec }: Selecting<Readonly<Record<string, string>>>) =>
  unlessEmpty(compileLabelMap(spec?.selector)),
);

/** A selector without requirements matches every object: an owner with such a selector claims nothing. */
function unlessEmpty(selection: LabelSelection): LabelSelection | undefined {
  return selection.selects === "nothing" || selection.requirements.length === 0 ? undefined : selection;
}

/** Keeps the result for as long as the object exists: objects never change, and each is asked for every orphan. */
function oncePerObject<T extends object, R>(read: (object: T) => R): (object: T) => R {
  const results = new WeakMap<T, { readonly result: R }>();
  return (object) => {
    const known = results.get(object) ?? { result: read(object) };
    results.set(object, known);
    return known.result;
  };
}
