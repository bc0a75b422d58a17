import { deepEqual } from "../../../api/deep-equal.ts";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
} from "../../../api/generated/apiextensions-v1.ts";
import type { Sent } from "../../../api/sent.ts";
import type { ConditionValue } from "./definition-conditions.ts";

type Names = Sent<CustomResourceDefinitionNames>;

/** The names that other definitions of the group have: those of resources, and those of kinds. */
interface TakenNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** Which of the wanted names a definition gets, and whether it gets all of them. */
export interface NamesDecision {
  readonly acceptedNames: CustomResourceDefinitionNames;
  readonly condition: ConditionValue;
}

/** Decides which names a definition gets: those that no other definition of its group has; the first one keeps them. */
export function acceptNames(
  { spec, status }: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
): NamesDecision {
  const taken = takenNames(others);
  const { names: wanted } = spec;
  const accepted: Names = status?.acceptedNames ?? {};
  const plural = single(wanted.plural, accepted.plural, taken.resources);
  const singular = single(wanted.singular, accepted.singular, taken.resources);
  const kind = single(wanted.kind, accepted.kind, taken.kinds);
  const listKind = single(wanted.listKind, accepted.listKind, taken.kinds);
  const shortNames = several(wanted.shortNames ?? [], accepted.shortNames ?? [], taken.resources);
  const { categories = [] } = wanted;
  return {
    acceptedNames: {
      plural: plural.name,
      ...(singular.name !== "" && { singular: singular.name }),
      ...(shortNames.names.length > 0 && { shortNames: shortNames.names }),
      kind: kind.name,
      ...(listKind.name !== "" && { listKind: listKind.name }),
      ...(categories.length > 0 && { categories }),
    },
    condition: conditionOf({
      PluralConflict: plural.conflict,
      SingularConflict: singular.conflict,
      ShortNamesConflict: shortNames.conflict,
      KindConflict: kind.conflict,
      ListKindConflict: listKind.conflict,
    }),
  };
}

function takenNames(definitions: readonly CustomResourceDefinition[]): TakenNames {
  const [resources, kinds] = [new Set<string>(), new Set<string>()];
  for (const { status } of definitions) {
    const { plural, singular, shortNames = [], kind, listKind }: Names = status?.acceptedNames ?? {};
    addNames(resources, plural, singular, ...shortNames);
    addNames(kinds, kind, listKind);
  }
  return { resources, kinds };
}

function addNames(taken: Set<string>, ...names: readonly (string | undefined)[]): void {
  for (const name of names) if (name !== undefined && name !== "") taken.add(name);
}

interface Decided {
  readonly conflict?: string;
}

/** Returns the wanted name, or the one from before if the wanted one is taken. */
function single(wanted = "", accepted = "", taken: ReadonlySet<string>): Decided & { readonly name: string } {
  if (wanted === accepted || !taken.has(wanted)) return { name: wanted };
  return { name: accepted, conflict: inUse(wanted) };
}

function several(
  wanted: readonly string[],
  accepted: readonly string[],
  taken: ReadonlySet<string>,
): Decided & { readonly names: readonly string[] } {
  if (deepEqual(wanted, accepted)) return { names: wanted };
  const conflicts = wanted.filter((name) => !accepted.includes(name) && taken.has(name)).map(inUse);
  if (conflicts.length === 0) return { names: wanted };
  const conflict = conflicts.length === 1 ? conflicts.join("") : `[${conflicts.join(", ")}]`;
  return { names: accepted, conflict };
}

const inUse = (name: string) => `${JSON.stringify(name)} is already in use`;

/** upstream: the last of several conflicts is told. */
function conditionOf(conflicts: Readonly<Record<string, string | undefined>>): ConditionValue {
  const last = Object.entries(conflicts).findLast(([, conflict]) => conflict !== undefined);
  const type = "NamesAccepted";
  if (last === undefined)
    return { type, status: "True", reason: "NoConflicts", message: "no conflicts found" };
  const [reason, message = ""] = last;
  return { type, status: "False", reason, message };
}
