import { invalid } from "../../../../api/field-error.ts";
import type { OwnerReference } from "../../../../api/generated/meta-v1.ts";
import { type FieldErrors, none } from "../../../../api/field-checks.ts";
import type { Sent } from "../../../../api/sent.ts";

type References = readonly Sent<OwnerReference>[];

/** Validates that owner references are complete and that at most one of them is the controller. */
export function validateOwnerReferences(references: References | undefined, path: string): FieldErrors {
  if (references === undefined) return none;
  const incomplete = references.flatMap((reference) => validateReference(reference, path));
  const [first, second] = references.filter(({ controller }) => controller === true);
  if (first === undefined || second === undefined) return incomplete;
  // One error for the first pair only: each error contains the whole list.
  const rule = 'Only one reference can have Controller set to true. Found "true" in references for';
  return [...incomplete, invalid(path, references, `${rule} ${titleOf(first)} and ${titleOf(second)}`)];
}

function titleOf({ kind = "", name = "" }: Sent<OwnerReference>): string {
  return `${kind}/${name}`;
}

// upstream puts these errors at the list, not at the item
function validateReference(reference: Sent<OwnerReference>, path: string): FieldErrors {
  const { apiVersion = "", kind = "", name = "", uid = "" } = reference;
  const members = [
    {
      at: "apiVersion",
      value: apiVersion,
      isGood: hasVersion(apiVersion),
      problem: "version must not be empty",
    },
    { at: "kind", value: kind, isGood: kind !== "", problem: "must not be empty" },
    { at: "name", value: name, isGood: name !== "", problem: "must not be empty" },
    { at: "uid", value: uid, isGood: uid !== "", problem: "must not be empty" },
  ];
  const incomplete = members
    .filter(({ isGood }) => !isGood)
    .map(({ at, value, problem }) => invalid(`${path}.${at}`, value, problem));
  const isEvent = apiVersion === "v1" && kind === "Event";
  return isEvent
    ? [...incomplete, invalid(path, reference, "/v1, Kind=Event is disallowed from being an owner")]
    : incomplete;
}

/** Reports whether `version` or `group/version` has a version. */
function hasVersion(apiVersion: string): boolean {
  const [first = "", second, ...rest] = apiVersion.split("/");
  return rest.length === 0 && (second ?? first) !== "";
}

/** Returns owner references without repetitions, and the UIDs that were repeated. */
export function mergeOwnerReferences(references: References): {
  readonly merged: References;
  readonly repeated: readonly string[];
} {
  if (references.length < 2) return { merged: references, repeated: [] };
  const seen = new Set<string>();
  const merged: Sent<OwnerReference>[] = [];
  const repeated: string[] = [];
  for (const reference of references) {
    const { apiVersion, kind, name, uid = "", controller, blockOwnerDeletion } = reference;
    const identity = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    if (seen.has(identity)) repeated.push(uid);
    else merged.push(reference);
    seen.add(identity);
  }
  return { merged, repeated };
}

interface Owned {
  readonly metadata?: { readonly ownerReferences?: References };
}

/** Warns of duplicate owner references; called before they are merged. */
export function repeatedOwnerWarnings({ metadata }: Owned): readonly string[] {
  const { repeated } = mergeOwnerReferences(metadata?.ownerReferences ?? []);
  if (repeated.length === 0) return [];
  const uids = [...new Set(repeated)].join(", ");
  return [
    ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may " +
      `reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`,
  ];
}
