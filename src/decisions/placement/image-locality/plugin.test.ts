import { expect, test } from "vitest";
import type { PodSpec } from "../../../api/generated/core-v1.ts";
import { node } from "../../../testing/node.ts";
import { scoresOf } from "../plugin-fixture.cases.ts";
import { imageLocality } from "./plugin.ts";

const mebibyte = 2 ** 20;
const image = (sizeMiB: number, ...names: readonly string[]) => ({ names, sizeBytes: sizeMiB * mebibyte });
const running = (...images: readonly string[]): Partial<PodSpec> => ({
  containers: images.map((name, index) => ({ name: `c${index}`, image: name })),
});

const cluster = {
  nodes: [
    node("a", { images: [image(500, "registry:5000/app:latest", "app@sha256:1"), image(20, "tiny:1")] }),
    node("b", { images: [image(4000, "huge:1")] }),
  ],
};

test.for<{ name: string; spec: Partial<PodSpec>; want: object }>([
  // 500 MiB on half of the nodes count as 250: (250 − 23) / (1000 − 23)
  { name: "prefers a node with the image", spec: running("registry:5000/app:latest"), want: { a: 23, b: 0 } },
  {
    name: "takes no tag for latest, and a port for no tag",
    spec: running("registry:5000/app"),
    want: { a: 23, b: 0 },
  },
  { name: "knows an image by each of its names", spec: running("app@sha256:1"), want: { a: 23, b: 0 } },
  { name: "does not bother about small images", spec: running("tiny:1"), want: { a: 0, b: 0 } },
  { name: "cares no more beyond 1000 MiB a container", spec: running("huge:1"), want: { a: 0, b: 100 } },
  {
    name: "counts init containers",
    spec: { initContainers: [{ name: "i", image: "registry:5000/app" }], ...running("huge:1") },
    // of 2000 MiB: 250, and 2000
    want: { a: 11, b: 100 },
  },
  {
    name: "counts volumes from images, but not as containers",
    spec: {
      ...running("none:1"),
      volumes: [{ name: "v", image: { reference: "registry:5000/app" } }],
    },
    want: { a: 23, b: 0 },
  },
  { name: "gives nothing to nodes without the image", spec: running("none:1"), want: { a: 0, b: 0 } },
])("ImageLocality $name", ({ spec, want }) => {
  expect(scoresOf(imageLocality, { spec }, cluster)).toEqual(want);
});
