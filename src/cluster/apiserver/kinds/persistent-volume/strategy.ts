import { forbidden, invalid, notSupported, required } from "../../../../api/field-error.ts";
import {
  each,
  type FieldErrors,
  immutable,
  none,
  supported,
  wellFormed,
} from "../../../../api/field-checks.ts";
import type { PersistentVolume, PersistentVolumeSpec } from "../../../../api/generated/core-v1.ts";
import { dns1123SubdomainProblems } from "../../../../api/names.ts";
import { formatQuantity } from "../../../../api/quantity/format-quantity.ts";
import { parseQuantity, zero } from "../../../../api/quantity/quantity.ts";
import { deepEqual } from "../../../../api/deep-equal.ts";
import { shapeOf } from "../../../../api/schema/shape.ts";
import { fillAbsent, fillEmpty, mapMembers } from "../../../../api/defaulting.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";
import { validateAccessModes } from "../persistent-volume-claim/strategy.ts";

/** The strategy of PersistentVolumes. */
export const persistentVolumeStrategy: KindStrategy<Sent<PersistentVolume>> = {
  defaults(object) {
    return mapMembers(fillAbsent(object, { spec: {} }), {
      spec: (spec) =>
        fillAbsent(fillEmpty(spec, { persistentVolumeReclaimPolicy: "Retain" }), {
          volumeMode: "Filesystem",
        }),
    });
  },
  prepareForCreate(object) {
    return { ...object, status: { phase: "Pending" } };
  },
  validate({ spec = {} }, _context, stored) {
    return [
      ...validateModes(spec.accessModes ?? []),
      ...validateCapacity(spec),
      ...supported(spec.persistentVolumeReclaimPolicy, "spec.persistentVolumeReclaimPolicy", policies),
      ...validateAffinity(spec),
      // A volume that was stored without a source remains valid.
      ...(stored === undefined ? validateSource(spec) : none),
      ...wellFormed(spec.storageClassName, "spec.storageClassName", dns1123SubdomainProblems),
      ...supported(spec.volumeMode, "spec.volumeMode", ["Block", "Filesystem"]),
    ];
  },
  validateUpdate: ({ next: { spec: next = {} }, previous: { spec: previous = {} } }) => [
    ...(deepEqual(sourceOf(next), sourceOf(previous)) ? none : [sourceIsImmutable]),
    // upstream leaves `spec` out of the paths
    ...immutable(next.volumeMode, previous.volumeMode, "volumeMode"),
    ...(previous.nodeAffinity === undefined || deepEqual(next.nodeAffinity, previous.nodeAffinity)
      ? none
      : [invalid("nodeAffinity", next.nodeAffinity ?? null, "field is immutable")]),
  ],
  unconditionalUpdate: true,
  returnsObjectOnDelete: true,
};

const policies = ["Delete", "Recycle", "Retain"];

const sourceIsImmutable = forbidden(
  "spec.persistentvolumesource",
  "spec.persistentvolumesource is immutable after creation",
);

function validateModes(modes: readonly string[]): FieldErrors {
  return modes.length === 0 ? [required("spec.accessModes")] : validateAccessModes(modes);
}

function validateCapacity({ capacity = {} }: Sent<PersistentVolumeSpec>): FieldErrors {
  const names = Object.keys(capacity);
  if (names.length === 0) return [required("spec.capacity")];
  if (names.length > 1 || !names.includes("storage"))
    return [notSupported("spec.capacity", capacity, ["storage"])];
  const amount = parseQuantity(capacity["storage"]) ?? zero;
  return amount.nanos > 0n
    ? none
    : [invalid("spec.capacity[storage]", formatQuantity(amount), "must be greater than zero")];
}

function validateAffinity({ nodeAffinity }: Sent<PersistentVolumeSpec>): FieldErrors {
  const path = "spec.nodeAffinity.required";
  if (nodeAffinity === undefined) return none;
  if (nodeAffinity.required === undefined) return [required(path, "must specify required node constraints")];
  const terms = nodeAffinity.required.nodeSelectorTerms ?? [];
  return terms.length === 0
    ? [required(`${path}.nodeSelectorTerms`, "must have at least one node selector term")]
    : none;
}

/** The names of everything that can be behind a volume. */
const sources = (): readonly string[] =>
  (shapeOf("core.v1.PersistentVolumeSpec")?.members ?? [])
    .map(({ name }) => name)
    .filter((name) => !settings.has(name));

/** Returns a spec without its source. */
const settings: ReadonlySet<string> = new Set([
  "capacity",
  "accessModes",
  "claimRef",
  "persistentVolumeReclaimPolicy",
  "storageClassName",
  "mountOptions",
  "volumeMode",
  "nodeAffinity",
  "volumeAttributesClassName",
]);

function sourceOf(spec: Sent<PersistentVolumeSpec>): Readonly<Record<string, unknown>> {
  const known = new Set(sources());
  return Object.fromEntries(Object.entries(spec).filter(([name]) => known.has(name)));
}

function validateSource(spec: Sent<PersistentVolumeSpec>): FieldErrors {
  const [first, ...others] = Object.keys(sourceOf(spec));
  if (first === undefined) return [required("spec", "must specify a volume type")];
  return each(others, "spec", (name) => [
    forbidden(`spec.${name}`, "may not specify more than 1 volume type"),
  ]);
}
