import type { OwnerReference } from "../../api/generated/meta-v1.ts";
import { type LabelSelection, matchesLabels } from "../../api/labels/label-selector.ts";
import { keyOf, type StoredObject } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import type { Informer } from "../informer/informer.ts";

/** Which objects of one kind an owner of another kind controls or could adopt, as far as the informers know. */
export interface OwnerIndex<O extends StoredObject, D extends StoredObject> {
  /** The owner that an object's controller reference names: kind, name and UID have to match. */
  ownerOf(dependent: D): O | undefined;
  /** Every owner whose selector matches an orphan; an object without labels is selected by none. */
  ownersSelecting(orphan: D): readonly O[];
  /** The objects an owner controls. */
  controlledBy(owner: O): readonly D[];
  /** The objects an owner may claim: those it controls, and the orphans of its namespace. */
  claimableBy(owner: O): readonly D[];
}

export interface OwnerIndexOptions<O extends StoredObject, D extends StoredObject> {
  readonly owners: Informer<O>;
  readonly dependents: Informer<D>;
  /** What an owner selects; `undefined` when it selects nothing. */
  readonly selectionOf: (owner: O) => LabelSelection | undefined;
}

// Informers are shared, and so are their indexes: the names say what is indexed.
const byNamespace = "namespace";
const byController = "controller";

/** Indexes the informers of owners and dependents, and answers from them. */
export function ownerIndexOf<O extends StoredObject, D extends StoredObject>({
  owners,
  dependents,
  selectionOf,
}: OwnerIndexOptions<O, D>): OwnerIndex<O, D> {
  const { kind } = owners.resource;
  indexByNamespace(owners);
  indexByController(dependents);
  const controlledBy = ({ metadata: { namespace, name, uid } }: O) =>
    dependents.byIndex(byController, controllerValue(namespace, { kind, name, uid }));

  return {
    ownerOf(dependent) {
      const reference = controllerOf(dependent);
      if (reference?.kind !== kind) return undefined;
      const { name, uid } = reference;
      const { namespace } = dependent.metadata;
      const owner = owners.get(keyOf({ metadata: namespace === undefined ? { name } : { namespace, name } }));
      return owner?.metadata.uid === uid ? owner : undefined;
    },

    ownersSelecting({ metadata: { namespace, labels = {} } }) {
      if (Object.keys(labels).length === 0) return [];
      return objectsInNamespace(owners, namespace).filter((owner) => {
        const selection = selectionOf(owner);
        return selection !== undefined && matchesLabels(selection, labels);
      });
    },

    controlledBy,
    claimableBy: (owner) => [
      ...controlledBy(owner),
      ...dependents.byIndex(byController, orphanValue(owner.metadata.namespace)),
    ],
  };
}

/** Adds the index that `objectsInNamespace` reads. */
export function indexByNamespace<T extends StoredObject>(informer: Informer<T>): void {
  informer.addIndex(byNamespace, ({ metadata }) => [metadata.namespace ?? ""]);
}

/** The objects of one namespace. */
export function objectsInNamespace<T extends StoredObject>(
  informer: Informer<T>,
  namespace = "",
): readonly T[] {
  return informer.byIndex(byNamespace, namespace);
}

/** The index values of owner references, and the namespace they were made for. */
interface IndexedOwner {
  readonly namespace: string | undefined;
  readonly values: readonly string[];
}

/** Adds the index that `withSameController` reads. */
export function indexByController<T extends StoredObject>(informer: Informer<T>): void {
  const known = new WeakMap<object, IndexedOwner>();
  informer.addIndex(byController, ({ metadata }) => {
    const { namespace, ownerReferences } = metadata;
    // All versions of an object share their references: the value is written for the first of them.
    const found = ownerReferences && known.get(ownerReferences);
    if (found !== undefined && found.namespace === namespace) return found.values;
    const controller = controllerOf({ metadata });
    const values = [
      controller === undefined ? orphanValue(namespace) : controllerValue(namespace, controller),
    ];
    if (ownerReferences !== undefined) known.set(ownerReferences, { namespace, values });
    return values;
  });
}

/** The objects that have the same controller as this one, itself included; only itself when it has none. */
export function withSameController<T extends StoredObject>(informer: Informer<T>, object: T): readonly T[] {
  const controller = controllerOf(object);
  return controller === undefined
    ? [object]
    : informer.byIndex(byController, controllerValue(object.metadata.namespace, controller));
}

function controllerValue(
  namespace = "",
  { kind, name, uid }: Pick<OwnerReference, "kind" | "name" | "uid">,
): string {
  return `${namespace}/${kind}/${name}/${uid}`;
}

/** Marks orphans: the value of a controller never ends in a slash after the namespace. */
function orphanValue(namespace = ""): string {
  return `${namespace}/`;
}
