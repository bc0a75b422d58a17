import { isJsonObject } from "../../../api/json.ts";

/**
 * A set of fields in the form of `fieldsV1`: a tree of path elements (`f:spec`, `k:{"name":"app"}`, `v:"x"`). A node
 * without entries is a field of the set, and so is a node with the entry `.`; other nodes only lead to fields. Nodes are
 * immutable and shared, and the root is never a field itself: an empty root is the empty set.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** A field without fields below it. */
export const leaf: FieldSet = Object.freeze({});
/** The empty set. */
export const emptySet: FieldSet = Object.freeze({});

const self = ".";

/**
 * Returns an empty node for this element and its siblings. Items of lists are identified by values that no other object
 * has, such as an address: as members of an ordinary object each would create a hidden class, and V8 keeps only some
 * 1,500 that begin with different members; beyond that, new objects no longer share theirs. An object without a
 * prototype has no hidden class.
 */
export function newNode(element: string): Record<string, FieldSet> {
  return isItem(element) ? (Object.create(null) as Record<string, FieldSet>) : {};
}

function isItem(element: string): boolean {
  return element.startsWith("k:") || element.startsWith("v:");
}

/** Returns a copy that may be changed. */
function copyOf(node: FieldSet): Record<string, FieldSet> {
  if (Object.getPrototypeOf(node) !== null) return { ...node };
  return Object.assign(Object.create(null) as Record<string, FieldSet>, node);
}

/** Reports whether a node, unless it is the root, is a field of its set. */
export function isField(node: FieldSet): boolean {
  return Object.hasOwn(node, self) || isEmptySet(node);
}

/** Reports whether a set has no fields. */
export function isEmptySet(set: FieldSet): boolean {
  return Object.keys(set).length === 0;
}

/** Returns the path elements below a node. */
export function elementsOf(node: FieldSet): readonly string[] {
  const elements = Object.keys(node);
  return Object.hasOwn(node, self) ? elements.filter((element) => element !== self) : elements;
}

/** Returns a node with the given children; `undefined` when it is neither a field nor leads to one. */
export function fieldSetNode(
  field: boolean,
  children: Readonly<Record<string, FieldSet>> | undefined,
): FieldSet | undefined {
  if (children === undefined || isEmptySet(children)) return field ? leaf : undefined;
  if (!field) return children;
  const node = Object.getPrototypeOf(children) === null ? newNode("k:") : {};
  node[self] = leaf;
  for (const element in children) node[element] = children[element] ?? leaf;
  return node;
}

/** Returns the fields of either set; `left` itself when it has them all. */
export function union(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right || isEmptySet(right)) return left;
  if (isEmptySet(left)) return right;
  return unionOfChildren(left, right);
}

/** Returns the fields of all sets. The sets are joined in pairs, since each union copies what it adds to. */
export function unionOf(sets: readonly FieldSet[]): FieldSet {
  if (sets.length <= 1) return sets[0] ?? emptySet;
  const half = sets.length >>> 1;
  return union(unionOf(sets.slice(0, half)), unionOf(sets.slice(half)));
}

function unionOfChildren(left: FieldSet, right: FieldSet): FieldSet {
  let changed: Record<string, FieldSet> | undefined;
  for (const element of elementsOf(right)) {
    const [mine, theirs] = [childOf(left, element), childOf(right, element)];
    const both = mine === undefined || theirs === undefined ? (theirs ?? mine) : unionOfNodes(mine, theirs);
    if (both === undefined || both === mine) continue;
    changed ??= copyOf(left);
    changed[element] = both;
  }
  return changed ?? left;
}

function unionOfNodes(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right) return left;
  const children = unionOfChildren(left, right);
  const field = isField(left) || isField(right);
  if (children === left && field === isField(left)) return left;
  return fieldSetNode(field, withoutSelf(children)) ?? leaf;
}

/** Returns the fields of `left` that are not in `right`; `left` itself when these are all of them. */
export function difference(left: FieldSet, right: FieldSet): FieldSet {
  return childrenWithout(left, right, differenceOfNodes);
}

function differenceOfNodes(left: FieldSet, right: FieldSet): FieldSet | undefined {
  const field = isField(left) && !isField(right);
  const children = difference(left, right);
  if (children === left && field === isField(left)) return left;
  return fieldSetNode(field, withoutSelf(children));
}

/** Returns the fields of `left` that are neither in `right` nor below a field of it. */
export function differenceOfTrees(left: FieldSet, right: FieldSet): FieldSet {
  return childrenWithout(left, right, (mine, theirs) => {
    if (isField(theirs)) return undefined;
    const children = differenceOfTrees(mine, theirs);
    return children === mine ? mine : fieldSetNode(isField(mine), withoutSelf(children));
  });
}

function childrenWithout(
  left: FieldSet,
  right: FieldSet,
  without: (mine: FieldSet, theirs: FieldSet) => FieldSet | undefined,
): FieldSet {
  let changed: Record<string, FieldSet> | undefined;
  // Iterates the left set: the fields of thousands of managers may be compared with one large change.
  for (const element of elementsOf(left)) {
    const [mine, theirs] = [childOf(left, element), childOf(right, element)];
    if (mine === undefined || theirs === undefined) continue;
    const rest = without(mine, theirs);
    if (rest === mine) continue;
    changed ??= copyOf(left);
    if (rest === undefined) delete changed[element];
    else changed[element] = rest;
  }
  return changed ?? left;
}

/** Returns the fields that both sets have. */
export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right) return left;
  let common: Record<string, FieldSet> | undefined;
  for (const element of elementsOf(left)) {
    const [mine, theirs] = [childOf(left, element), childOf(right, element)];
    if (mine === undefined || theirs === undefined) continue;
    const node = fieldSetNode(isField(mine) && isField(theirs), intersection(mine, theirs));
    if (node !== undefined) (common ??= newNode(element))[element] = node;
  }
  return common ?? {};
}

/** Returns the node below an element. */
export function childOf(node: FieldSet, element: string): FieldSet | undefined {
  return Object.hasOwn(node, element) ? node[element] : undefined;
}

function withoutSelf(node: FieldSet): FieldSet {
  if (!Object.hasOwn(node, self)) return node;
  const children = copyOf(node);
  delete children[self];
  return children;
}

/** Orders the elements of a set. */
export const elementOrder = (left: string, right: string): number =>
  left < right ? -1 : Number(left > right);

/** Returns the paths of all fields as lists of elements; on every level, fields come before those below others. */
export function pathsOf(set: FieldSet): readonly (readonly string[])[] {
  const elements = elementsOf(set).toSorted(elementOrder);
  const nodeAt = (element: string) => childOf(set, element) ?? leaf;
  const here = elements.filter((element) => isField(nodeAt(element))).map((element) => [element]);
  const below = elements.flatMap((element) => pathsOf(nodeAt(element)).map((path) => [element, ...path]));
  return [...here, ...below];
}

/** Reads a set that a client sent; elements that `elementOf` does not accept are left out. */
export function readFieldSet(value: unknown, elementOf: (text: string) => string | undefined): FieldSet {
  const entries = Object.entries(isJsonObject(value) ? value : {});
  const set = newNode(entries.at(-1)?.[0] ?? "");
  for (const [text, node] of entries) {
    const element = text === self ? self : elementOf(text);
    if (element !== undefined) set[element] = text === self ? leaf : readFieldSet(node, elementOf);
  }
  return set;
}
