import type { CSIDriver } from "../../../../api/generated/storage-v1.ts";
import { semanticEqual } from "../../../../api/schema/semantic-equality.ts";
import { fillAbsent, mapMembers } from "../../../../api/defaulting.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";

/** The strategy of CSIDrivers. */
export const csiDriverStrategy: KindStrategy<Sent<CSIDriver>> = {
  defaults(object) {
    return mapMembers(fillAbsent(object, { spec: {} }), {
      spec: (spec) =>
        fillAbsent(spec, {
          attachRequired: true,
          podInfoOnMount: false,
          storageCapacity: false,
          fsGroupPolicy: "ReadWriteOnceWithFSType",
          requiresRepublish: false,
          volumeLifecycleModes: ["Persistent"],
          seLinuxMount: false,
        }),
    });
  },
  prepareForUpdate: ({ next, previous }) => withGeneration(next, previous),
  returnsObjectOnDelete: true,
};

// upstream counts changes of the spec only: a new CSIDriver has no generation
function withGeneration(next: Sent<CSIDriver>, previous: Sent<CSIDriver>): Sent<CSIDriver> {
  if (semanticEqual("storage.v1.CSIDriverSpec", next.spec, previous.spec)) return next;
  const generation = (previous.metadata?.generation ?? 0) + 1;
  return { ...next, metadata: { ...next.metadata, generation } };
}
