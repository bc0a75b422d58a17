import type { StorageClass } from "../../../../api/generated/storage-v1.ts";
import { fillAbsent } from "../../../../api/defaulting.ts";
import { requiredText, supported } from "../../../../api/field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";

/** The strategy of StorageClasses. */
export const storageClassStrategy: KindStrategy<Sent<StorageClass>> = {
  defaults(object) {
    return fillAbsent(object, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" });
  },
  validate({ provisioner, reclaimPolicy, volumeBindingMode }) {
    return [
      ...requiredText(provisioner, "provisioner"),
      ...supported(reclaimPolicy, "reclaimPolicy", ["Delete", "Retain"]),
      ...supported(volumeBindingMode, "volumeBindingMode", ["Immediate", "WaitForFirstConsumer"]),
    ];
  },
  unconditionalUpdate: true,
  returnsObjectOnDelete: true,
};
