import { quotient } from "../../../src/decisions/placement/arithmetic.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { itemsOf, stringOf } from "../../../src/decisions/placement/objects/reading.ts";
import type { Plugin } from "../plugin.ts";

const mebibyte = 2 ** 20;
/** Fewer bytes than the minimum score 0, and more than the maximum, per container, no more than the maximum. */
const minBytes = 23 * mebibyte;
const maxBytesPerContainer = 1000 * mebibyte;

/** Prefers nodes that have the Pod's images already. */
export const imageLocality: Plugin = {
  name: "ImageLocality",

  preScore(pod, snapshot) {
    const { images, containers } = imagesOf(pod);
    const total = snapshot.nodes.length;
    /** An image that few nodes have counts less, or all Pods that need it would be placed there. */
    const bytesOn = (node: NodeInfo, image: string): number =>
      Math.trunc((node.images.get(image) ?? 0) * (snapshot.nodesWithImage(image) / total));
    return {
      kind: "scores",
      score(node) {
        const bytes = images.reduce((sum, image) => sum + bytesOn(node, image), 0);
        return scoreOf(bytes, maxBytesPerContainer * containers);
      },
    };
  },
};

function scoreOf(bytes: number, maxBytes: number): number {
  const clamped = Math.max(Math.min(bytes, maxBytes), minBytes);
  return quotient(100 * (clamped - minBytes), maxBytes - minBytes);
}

function imagesOf({ pod }: PodInfo): { readonly images: readonly string[]; readonly containers: number } {
  const containers = [...itemsOf(pod.spec?.initContainers), ...itemsOf(pod.spec?.containers)];
  const volumes = itemsOf(pod.spec?.volumes).flatMap(({ image }) => stringOf(image?.reference) || []);
  const images = [...containers.map(({ image }) => stringOf(image)), ...volumes].map(withTag);
  return { images, containers: containers.length };
}

/** The name with the tag `latest` when it has none; a colon before the last slash belongs to a port. */
function withTag(image: string): string {
  return image.lastIndexOf(":") <= image.lastIndexOf("/") ? `${image}:latest` : image;
}
