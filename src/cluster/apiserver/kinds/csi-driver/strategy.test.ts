import { expect, test } from "vitest";
import { csiDriverStrategy } from "./strategy.ts";

test("a CSIDriver attaches persistent volumes unless it says otherwise", () => {
  const { spec } = csiDriverStrategy.defaults?.({ metadata: {}, spec: { podInfoOnMount: true } }) ?? {};
  expect(spec).toEqual({
    attachRequired: true,
    podInfoOnMount: true,
    storageCapacity: false,
    fsGroupPolicy: "ReadWriteOnceWithFSType",
    requiresRepublish: false,
    volumeLifecycleModes: ["Persistent"],
    seLinuxMount: false,
  });
});
