import { expect, test } from "vitest";
import { shrinkPatch, type ShrinkRequest } from "./held-shrink.ts";

const request: ShrinkRequest = { labels: { app: "web" }, generation: 4, old: 8, asked: 5 };
const at = (name: string) => `/metadata/labels/trimtab.dev~1${name}`;
const admitted = { op: "add", path: at("admitted"), value: "5" };

test.each<[string, Partial<ShrinkRequest>, Parameters<typeof shrinkPatch>[1], readonly object[]]>([
  ["that nobody holds back is labelled as asked about", {}, undefined, [admitted]],
  [
    "of which a part is held back has the size for now",
    {},
    { size: 7, hold: "5_2.100" },
    [
      { op: "replace", path: "/spec/replicas", value: 7 },
      admitted,
      { op: "add", path: at("held-removal"), value: "5_2.100" },
      { op: "add", path: at("held-at"), value: "7" },
    ],
  ],
  [
    "that is held back as before writes nothing",
    { labels: { "trimtab.dev/held-removal": "5_3.100", "trimtab.dev/held-at": "8" } },
    { size: 8, hold: "5_3.100" },
    [{ op: "replace", path: "/spec/replicas", value: 8 }],
  ],
  [
    "that was asked for once more is not due any longer",
    {
      labels: {
        "trimtab.dev/held-removal": "5_3.100",
        "trimtab.dev/held-at": "8",
        "trimtab.dev/removal-due": "120",
      },
    },
    { size: 8, hold: "5_3.100" },
    [
      { op: "replace", path: "/spec/replicas", value: 8 },
      { op: "remove", path: at("removal-due") },
    ],
  ],
  [
    "whose hold ends loses its labels",
    { labels: { "trimtab.dev/held-removal": "5_3.100", "trimtab.dev/held-at": "8" } },
    undefined,
    [admitted, { op: "remove", path: at("held-removal") }, { op: "remove", path: at("held-at") }],
  ],
  [
    "of a ReplicaSet without labels gets some",
    { labels: undefined },
    { size: 8, hold: "5_3.100" },
    [
      { op: "replace", path: "/spec/replicas", value: 8 },
      { op: "add", path: "/metadata/labels", value: {} },
      { op: "add", path: at("held-removal"), value: "5_3.100" },
      { op: "add", path: at("held-at"), value: "8" },
    ],
  ],
])("a shrink %s", (_, traits, held, want) => {
  expect(shrinkPatch({ ...request, ...traits }, held)).toEqual(want);
});
