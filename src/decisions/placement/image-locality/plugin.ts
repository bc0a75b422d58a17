import { quotient } from "../arithmetic.ts";
import type { NodeInfo } from "../objects/node-info.ts";
import { perTemplate } from "../view/placement-template.ts";
import { itemsOf, stringOf } from "../objects/reading.ts";
import type { Plugin } from "../plugin.ts";
import type { PluginEntry } from "../plugin-entry.ts";

const mebibyte = 2 ** 20;
/** Fewer bytes than the minimum score 0, and more than the maximum, per container, no more than the maximum. */
const minBytes = 23 * mebibyte;
const maxBytesPerContainer = 1000 * mebibyte;

/** Prefers nodes that have the Pod's images already. */
export const imageLocality: Plugin = {
  name: "ImageLocality",

  preScore(pod, cluster) {
    const { images, containers } = imagesOf(pod, cluster);
    const maxBytes = maxBytesPerContainer * containers;
    const present = images.filter((image) => cluster.nodesWithImage(image) > 0);
    if (present.length === 0) {
      const onAnyNode = scoreOf(0, maxBytes);
      return { kind: "scores", score: () => onAnyNode };
    }
    const total = cluster.nodes.length;
    /** An image that few nodes have counts less, or all Pods that need it would be placed there. */
    const bytesOn = (node: NodeInfo, image: string): number =>
      Math.trunc((node.images.get(image) ?? 0) * (cluster.nodesWithImage(image) / total));
    return {
      kind: "scores",
      score(node) {
        const bytes = present.reduce((sum, image) => sum + bytesOn(node, image), 0);
        return scoreOf(bytes, maxBytes);
      },
    };
  },
};

function scoreOf(bytes: number, maxBytes: number): number {
  const clamped = Math.max(Math.min(bytes, maxBytes), minBytes);
  return quotient(100 * (clamped - minBytes), maxBytes - minBytes);
}

const imagesOf = perTemplate(({ pod }) => {
  const containers = [...itemsOf(pod.spec?.initContainers), ...itemsOf(pod.spec?.containers)];
  const volumes = itemsOf(pod.spec?.volumes).flatMap(({ image }) => stringOf(image?.reference) || []);
  const images = [...containers.map(({ image }) => stringOf(image)), ...volumes].map(withTag);
  return { images, containers: containers.length };
});

/** The name with the tag `latest` when it has none; a colon before the last slash belongs to a port. */
function withTag(image: string): string {
  return image.lastIndexOf(":") <= image.lastIndexOf("/") ? `${image}:latest` : image;
}

export const imageLocalityEntry = {
  name: "ImageLocality",
  points: ["score"],
  create: () => imageLocality,
} as const satisfies PluginEntry;
