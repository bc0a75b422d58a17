import { forbidden, invalid, notSupported, required } from "../../../../api/field-error.ts";
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "../../../../api/generated/core-v1.ts";
import { dns1123SubdomainProblems } from "../../../../api/names.ts";
import { formatQuantity } from "../../../../api/quantity/format-quantity.ts";
import { parseQuantity, zero } from "../../../../api/quantity/quantity.ts";
import { semanticEqual } from "../../../../api/schema/semantic-equality.ts";
import { formerClassAnnotation } from "../../../../api/volume-names.ts";
import { fillAbsent, mapMembers } from "../../../../api/defaulting.ts";
import {
  each,
  type FieldErrors,
  immutable,
  none,
  supported,
  wellFormed,
} from "../../../../api/field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { validateSelector } from "../../../../api/labels/validate-selector.ts";
import { claimWarnings } from "../pod-spec/volume-warnings.ts";
import type { Sent } from "../../../../api/sent.ts";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** The strategy of PersistentVolumeClaims. */
export const persistentVolumeClaimStrategy: KindStrategy<Sent<PersistentVolumeClaim>> = {
  defaults(object) {
    return mapMembers(fillAbsent(object, { spec: {} }), {
      spec: (spec) => fillAbsent(spec, { volumeMode: "Filesystem" }),
    });
  },
  prepareForCreate(object) {
    return { ...object, status: { phase: "Pending" } };
  },
  validate: ({ spec = {} }) => validateClaimSpec(spec, "spec"),
  validateUpdate: ({ next, previous }) => [
    ...validateUnchanged(next, previous),
    ...validateNotShrunk(next, previous),
    // upstream leaves `spec` out of the path
    ...immutable(next.spec?.volumeMode, previous.spec?.volumeMode, "volumeMode"),
  ],
  warnings({ metadata, spec = {} }) {
    const isAnnotated = metadata?.annotations?.[formerClassAnnotation] !== undefined;
    const replaced = 'deprecated since v1.8; use "storageClassName" attribute instead';
    return [
      ...(isAnnotated ? [`metadata.annotations[${formerClassAnnotation}]: ${replaced}`] : []),
      ...claimWarnings(spec, "spec"),
    ];
  },
  needsComponent: true,
  unconditionalUpdate: true,
  returnsObjectOnDelete: true,
};

/** Validates the spec of a claim, or of a template for claims. */
export function validateClaimSpec(spec: Sent<PersistentVolumeClaimSpec>, at: string): FieldErrors {
  return [
    ...validateAccessModes(spec.accessModes ?? [], `${at}.accessModes`),
    ...validateSelector(spec.selector, `${at}.selector`),
    ...validateStorage(spec, `${at}.resources[storage]`),
    ...wellFormed(spec.storageClassName, `${at}.storageClassName`, dns1123SubdomainProblems),
    ...supported(spec.volumeMode, `${at}.volumeMode`, ["Block", "Filesystem"]),
  ];
}

/** Validates the access modes of a claim or a volume. */
export function validateAccessModes(modes: readonly string[], path = "spec.accessModes"): FieldErrors {
  if (modes.length === 0) return [required(path, "at least 1 access mode is required")];
  const exclusive = modes.includes("ReadWriteOncePod") && modes.some((mode) => mode !== "ReadWriteOncePod");
  return [
    ...each(modes, path, (mode) =>
      accessModes.includes(mode) ? none : [notSupported(path, mode, accessModes)],
    ),
    ...(exclusive ? [forbidden(path, "may not use ReadWriteOncePod with other access modes")] : none),
  ];
}

// upstream leaves `requests` out of the path
function validateStorage({ resources }: Sent<PersistentVolumeClaimSpec>, path: string): FieldErrors {
  const requests = resources?.requests ?? {};
  if (!Object.hasOwn(requests, "storage")) return [required(path)];
  const amount = parseQuantity(requests["storage"]) ?? zero;
  return amount.nanos > 0n ? none : [invalid(path, formatQuantity(amount), "must be greater than zero")];
}

/**
 * Validates that a claim does not change, except that a bound one may ask for more storage and for another
 * VolumeAttributesClass, and a claim without a volume or a storage class may get one.
 */
function validateUnchanged(
  next: Sent<PersistentVolumeClaim>,
  { spec: previous = {}, status }: Sent<PersistentVolumeClaim>,
): FieldErrors {
  const { spec = {} } = next;
  const isBound = status?.phase === "Bound";
  const requests = { ...spec.resources?.requests, ...storageOf(previous) };
  const allowed = {
    ...spec,
    ...((previous.volumeName ?? "") === "" && { volumeName: previous.volumeName }),
    ...(previous.storageClassName === undefined && { storageClassName: undefined }),
    ...(isBound && {
      resources: { ...spec.resources, requests },
      volumeAttributesClassName: previous.volumeAttributesClassName,
    }),
  };
  if (semanticEqual("core.v1.PersistentVolumeClaimSpec", allowed, previous)) return none;
  const detail =
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
  return [forbidden("spec", detail)];
}

function storageOf({ resources }: Sent<PersistentVolumeClaimSpec>) {
  const { storage } = resources?.requests ?? {};
  return storage === undefined ? {} : { storage };
}

/** Validates that a request that shrinks stays larger than the volume: volumes do not shrink. */
function validateNotShrunk(
  { spec = {} }: Sent<PersistentVolumeClaim>,
  previous: Sent<PersistentVolumeClaim>,
): FieldErrors {
  const amountOf = (value: string | number | undefined) => (parseQuantity(value) ?? zero).nanos;
  const wanted = amountOf(storageOf(spec).storage);
  const isShrunk =
    wanted < amountOf(storageOf(previous.spec ?? {}).storage) &&
    wanted <= amountOf(previous.status?.capacity?.["storage"]);
  return isShrunk
    ? [forbidden("spec.resources.requests.storage", "field can not be less than status.capacity")]
    : none;
}
