import { forbidden, invalid, notSupported, required } from "../../field-error.ts";
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "../../generated/core-v1.ts";
import { dns1123SubdomainProblems } from "../../names.ts";
import { formatQuantity } from "../../quantity/format-quantity.ts";
import { parseQuantity, zero } from "../../quantity/quantity.ts";
import { fillAbsent, mapMembers } from "../defaulting.ts";
import { each, type FieldErrors, none, supported, wellFormed } from "../field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { validateSelector } from "../label-selectors.ts";
import type { Sent } from "../sent.ts";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** The strategy of PersistentVolumeClaims, which are stored and never bound. */
export const persistentVolumeClaimStrategy: KindStrategy<Sent<PersistentVolumeClaim>> = {
  defaults(object) {
    return mapMembers(fillAbsent(object, { spec: {} }), {
      spec: (spec) => fillAbsent(spec, { volumeMode: "Filesystem" }),
    });
  },
  prepareForCreate(object) {
    return { ...object, status: { phase: "Pending" } };
  },
  validate({ spec = {} }) {
    return [
      ...validateAccessModes(spec.accessModes ?? []),
      ...validateSelector(spec.selector, "spec.selector"),
      ...validateStorage(spec),
      ...wellFormed(spec.storageClassName, "spec.storageClassName", dns1123SubdomainProblems),
      ...supported(spec.volumeMode, "spec.volumeMode", ["Block", "Filesystem"]),
    ];
  },
  needsComponent: true,
  unconditionalUpdate: true,
  returnsObjectOnDelete: true,
};

function validateAccessModes(modes: readonly string[]): FieldErrors {
  const path = "spec.accessModes";
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
function validateStorage({ resources }: Sent<PersistentVolumeClaimSpec>): FieldErrors {
  const path = "spec.resources[storage]";
  const requests = resources?.requests ?? {};
  if (!Object.hasOwn(requests, "storage")) return [required(path)];
  const amount = parseQuantity(requests["storage"]) ?? zero;
  return amount.nanos > 0n ? none : [invalid(path, formatQuantity(amount), "must be greater than zero")];
}
