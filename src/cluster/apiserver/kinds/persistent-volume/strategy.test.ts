import { expect, test } from "vitest";
import { persistentVolumeStrategy } from "./strategy.ts";

test("a PersistentVolume is kept when its claim is deleted, unless it says otherwise", () => {
  expect(persistentVolumeStrategy.defaults?.({ metadata: {} })).toEqual({
    metadata: {},
    spec: { persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem" },
  });
  const spec = { persistentVolumeReclaimPolicy: "Delete", volumeMode: "Block" };
  expect(persistentVolumeStrategy.defaults?.({ metadata: {}, spec })).toEqual({ metadata: {}, spec });
});
