import type { CSIDriver } from "../../generated/storage-v1.ts";
import { fillAbsent, mapMembers } from "../defaulting.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../sent.ts";

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
  returnsObjectOnDelete: true,
};
