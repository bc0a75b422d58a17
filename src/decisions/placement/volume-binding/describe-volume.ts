import type { PersistentVolume, PersistentVolumeClaim } from "../../../api/generated/core-v1.ts";
import { itemsOf, stringOf, textsOf } from "../objects/reading.ts";

/** Where the volume of a claim can be used, as a sentence: `volume v of claim data is in topology.kubernetes.io/zone a`. */
export function describeVolumePlace(volume: PersistentVolume, { metadata }: PersistentVolumeClaim): string {
  const terms = itemsOf(volume.spec?.nodeAffinity?.required?.nodeSelectorTerms);
  const places = terms.map((term) =>
    [...itemsOf(term.matchExpressions), ...itemsOf(term.matchFields)]
      .map(({ key, operator, values }) => describeRequirement(stringOf(key), operator, textsOf(values)))
      .join(" and "),
  );
  return `volume ${stringOf(volume.metadata.name)} of claim ${stringOf(metadata.name)} is in ${places.join(" or ")}`;
}

function describeRequirement(key: string, operator: string, values: readonly string[]): string {
  const listed = values.join(", ");
  if (operator === "In") return `${key} ${listed}`;
  return listed === "" ? `${key} ${operator}` : `${key} ${operator} ${listed}`;
}
