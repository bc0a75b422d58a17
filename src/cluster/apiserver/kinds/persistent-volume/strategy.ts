import type { PersistentVolume } from "../../../../api/generated/core-v1.ts";
import { fillAbsent, fillEmpty, mapMembers } from "../../../../api/defaulting.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";

/** The strategy of PersistentVolumes, which are stored and never bound. */
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
  unconditionalUpdate: true,
  returnsObjectOnDelete: true,
};
