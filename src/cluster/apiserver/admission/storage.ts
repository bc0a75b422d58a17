import type { PersistentVolumeClaim } from "../../../api/generated/core-v1.ts";
import type { StorageClass } from "../../../api/generated/storage-v1.ts";
import type { Sent } from "../../../api/sent.ts";
import { formerClassAnnotation } from "../../../api/volume-names.ts";
import { defaultClassOf } from "../../../decisions/volumes/storage-class.ts";
import { sizeIn } from "../../../decisions/volumes/volume-match.ts";
import type { ObjectUpdate } from "../kinds/kind-strategy.ts";
import { type Admission, admit, deny } from "./admission.ts";

type SentClaim = Sent<PersistentVolumeClaim>;
type Classes = () => readonly StorageClass[];

/** Returns the claim with the default class, if it names no class; `""` asks for a volume without a class. */
export function assignDefaultClass(claim: SentClaim, classes: Classes): SentClaim {
  if (classNameIn(claim) !== undefined) return claim;
  const found = defaultClassOf(classes());
  if (found === undefined) return claim;
  return { ...claim, spec: { ...claim.spec, storageClassName: found.metadata.name } };
}

function classNameIn({ metadata, spec }: SentClaim): string | undefined {
  return metadata?.annotations?.[formerClassAnnotation] ?? spec?.storageClassName;
}

interface WithFinalizers {
  readonly metadata?: { readonly finalizers?: readonly string[] };
}

/** Returns the object with the finalizer that keeps it while it is in use. */
export function withProtectionFinalizer<T extends WithFinalizers>(object: T, finalizer: string): T {
  const finalizers = object.metadata?.finalizers ?? [];
  if (finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
}

/** Denies a claim that grows although it has no volume yet, or although its class does not let volumes grow. */
export function admitClaimUpdate(
  { next, previous }: ObjectUpdate<SentClaim>,
  classes: Classes,
): Admission<SentClaim> {
  if (sizeOf(next) <= sizeOf(previous)) return admit(next);
  if (previous.status?.phase !== "Bound") return deny("Only bound persistent volume claims can be expanded");
  const name = classNameIn(previous);
  const found = classes().find(({ metadata }) => metadata.name === name);
  return found?.allowVolumeExpansion === true && classNameIn(next) === name
    ? admit(next)
    : deny(notExpandable);
}

const notExpandable =
  "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";

function sizeOf({ spec }: SentClaim): bigint {
  return sizeIn(spec?.resources?.requests);
}
