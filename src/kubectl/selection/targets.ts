import { failure } from "../command-failure.ts";
import type { ApiResource } from "../server/discovery.ts";
import { findType, findTypes } from "./find-type.ts";

/** What a command line names: a collection, or an object of it. */
export interface Target {
  readonly resource: ApiResource;
  /** Absent: all objects that the selectors match. */
  readonly name?: string;
  readonly namespace?: string;
}

/** What else of a command line selects objects. */
export interface Selecting {
  readonly selector: string;
  readonly fieldSelector: string;
  readonly isAll: boolean;
  readonly allNamespaces: boolean;
  /** Whether a type alone means all of its objects. */
  readonly isTypeEnough: boolean;
  /** What is read of named objects; absent: the objects themselves. */
  readonly subresource?: string;
}

export const nothingSelected: Selecting = {
  selector: "",
  fieldSelector: "",
  isAll: false,
  allNamespaces: false,
  isTypeEnough: false,
};

/** Reads the operands of a command: `TYPE[,TYPE] [NAME …]`, or `TYPE/NAME …`. */
export function readTargets(
  resources: readonly ApiResource[],
  words: readonly string[],
  selecting: Selecting,
): readonly Target[] {
  const isNamed = words.length > 1 || words.some((word) => word.includes("/"));
  const targets = words.some((word) => word.includes("/"))
    ? slashed(resources, words)
    : typed(resources, words);
  if (!isNamed) {
    requireSelection(selecting);
    return targets;
  }
  if (selecting.allNamespaces) throw failure("a resource cannot be retrieved by name across all namespaces");
  if (selecting.selector !== "" || selecting.fieldSelector !== "")
    throw failure("name cannot be provided when a selector is specified");
  if (selecting.isAll) throw failure("setting 'all' parameter but found a non empty selector. ");
  return targets;
}

function requireSelection({ selector, fieldSelector, isAll, isTypeEnough }: Selecting): void {
  if (selector === "" && fieldSelector === "" && !isAll && !isTypeEnough)
    throw failure("resource(s) were provided, but no name was specified");
}

function typed(
  resources: readonly ApiResource[],
  [types = "", ...names]: readonly string[],
): readonly Target[] {
  const found = findTypes(resources, types);
  if (names.length === 0) return found.map((resource) => ({ resource }));
  return found.flatMap((resource) => names.map((name) => ({ resource, name })));
}

function slashed(resources: readonly ApiResource[], words: readonly string[]): readonly Target[] {
  return words.map((word) => {
    const [type = "", name = "", ...more] = word.split("/");
    if (!word.includes("/"))
      throw failure(
        "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'",
      );
    if (type === "" || name === "" || more.length > 0)
      throw failure("arguments in resource/name form may not have more than one slash");
    return { resource: findType(resources, type), name };
  });
}
