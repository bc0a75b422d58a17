import { quotient } from "../arithmetic.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { itemsOf, textOf } from "../snapshot/reading.ts";
import type { Plugin } from "../plugin.ts";

const mebibyte = 2 ** 20;
/** Less than this is not worth a preference, and more than this, per container, no greater one. */
const leastBytes = 23 * mebibyte;
const mostBytesPerContainer = 1000 * mebibyte;

/** Prefers nodes that have the Pod's images already. */
export const imageLocality: Plugin = {
  name: "ImageLocality",

  preFilter(pod, snapshot) {
    const { images, containers } = imagesOf(pod);
    const total = snapshot.nodes.length;
    /** An image that few nodes have counts less, or all Pods that need it would go there. */
    const bytesOn = (node: NodeInfo, image: string): number =>
      Math.trunc((node.images.get(image) ?? 0) * (snapshot.nodesWithImage(image) / total));
    return {
      preScore: () => ({
        kind: "scores",
        score(node) {
          const bytes = images.reduce((sum, image) => sum + bytesOn(node, image), 0);
          return scoreOf(bytes, mostBytesPerContainer * containers);
        },
      }),
    };
  },
};

function scoreOf(bytes: number, mostBytes: number): number {
  const within = Math.max(Math.min(bytes, mostBytes), leastBytes);
  return quotient(100 * (within - leastBytes), mostBytes - leastBytes);
}

function imagesOf({ pod }: PodInfo): { readonly images: readonly string[]; readonly containers: number } {
  const containers = [...itemsOf(pod.spec?.initContainers), ...itemsOf(pod.spec?.containers)];
  const volumes = itemsOf(pod.spec?.volumes).flatMap(({ image }) => textOf(image?.reference) || []);
  const images = [...containers.map(({ image }) => textOf(image)), ...volumes].map(withTag);
  return { images, containers: containers.length };
}

/** The name with the tag that stands for none; a colon before the last slash belongs to a port. */
function withTag(image: string): string {
  return image.lastIndexOf(":") <= image.lastIndexOf("/") ? `${image}:latest` : image;
}
