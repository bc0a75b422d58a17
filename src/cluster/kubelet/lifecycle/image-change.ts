import type { Container, Pod } from "../../../api/generated/core-v1.ts";
import { statusOf } from "./container-state.ts";
import type { Run } from "./pod-stage.ts";

/** Returns the images of the main containers, in their order. */
export function imagesOf({ spec }: Pod): readonly string[] {
  return spec.containers.map(({ image = "" }) => image);
}

/** Returns the images that running containers were started with, by their status. */
export function startedImages(pod: Pod): readonly string[] {
  return pod.spec.containers.map((container) => statusOf(pod, container)?.image ?? container.image ?? "");
}

/** Returns the containers that have another image than the one they were started with. */
export function changedContainers({ spec }: Pod, { images }: Pick<Run, "images">): readonly Container[] {
  return images === undefined
    ? []
    : spec.containers.filter(({ image = "" }, index) => image !== (images[index] ?? image));
}

/** Returns the highest number of restarts that the main containers of a Pod report. */
export function reportedRestarts({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}
