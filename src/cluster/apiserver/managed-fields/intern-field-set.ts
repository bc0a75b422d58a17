import { elementOrder, type FieldSet, leaf, newNode } from "./field-set.ts";
import { RecentlyUsed } from "../recently-used.ts";

/**
 * How many nodes are kept, far more than a cluster writes in a while: most objects of a kind have the same managers.
 */
const keptNodes = 2000;
/**
 * Several times the text of a large node. Longer nodes belong to single objects, such as a ConfigMap with thousands of
 * keys, and would stay in memory after these are deleted.
 */
export const longestKept = 10_000;

/** The nodes by their elements, in order, and the numbers of the nodes below them. */
const known = new RecentlyUsed<FieldSet>(keptNodes);
const numbers = new WeakMap<FieldSet, number>([[leaf, 0]]);
let lastNumber = 0;

/**
 * Returns the shared set that is equal to this one, in order: thousands of Pods have the same fields, and each set is
 * kept once. Nodes are shared too, so a set with the address of its Pod in it shares all its other nodes. Sets are
 * shared by all clusters of a process. A set with a very large node is returned in order and not kept.
 */
export function internFieldSet(set: FieldSet): FieldSet {
  if (numbers.has(set)) return set;
  const elements = inOrder(Object.keys(set));
  if (elements.length === 0) return leaf;
  // Apart from the element of the node itself, all elements are of the same kind.
  const node = newNode(elements.at(-1) ?? "");
  let text: string | undefined = "";
  for (const element of elements) {
    const child = internFieldSet(set[element] ?? leaf);
    node[element] = child;
    const number = numbers.get(child);
    // The length before each element makes the text unambiguous.
    text =
      text === undefined || number === undefined
        ? undefined
        : `${text}${number},${element.length},${element}`;
  }
  return text === undefined || text.length > longestKept ? node : keptNode(text, node);
}

/** Returns the elements in order. Most are in order already: sorting would copy them. */
function inOrder(elements: string[]): readonly string[] {
  for (let index = 1; index < elements.length; index++) {
    if ((elements[index - 1] ?? "") > (elements[index] ?? "")) return elements.sort(elementOrder);
  }
  return elements;
}

function keptNode(text: string, node: FieldSet): FieldSet {
  const found = known.get(text);
  if (found !== undefined) return found;
  known.set(text, node);
  numbers.set(node, ++lastNumber);
  return node;
}
