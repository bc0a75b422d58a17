import * as fc from "fast-check";
import { expect, test } from "vitest";
import { listedByExtension } from "./listed-by-extension.ts";

const of = { group: "parts.example.com", version: "v1" };

test("resources are listed with their subresources, whose kinds may be of another group", () => {
  const resources = [
    {
      name: "parts",
      singularName: "part",
      namespaced: true,
      kind: "Part",
      verbs: ["get"],
      shortNames: ["pt"],
    },
    { name: "parts/scale", kind: "Scale", group: "autoscaling", version: "v1", verbs: ["get", "update"] },
    { name: "parts/status", kind: "Part", verbs: ["get"] },
    { name: "boxes", kind: "Box", verbs: ["list", 7] },
    { name: "nothing" },
    "nonsense",
  ];
  expect(listedByExtension(of, { kind: "APIResourceList", resources })).toEqual([
    {
      ...of,
      plural: "parts",
      kind: "Part",
      namespaced: true,
      singular: "part",
      shortNames: ["pt"],
      categories: [],
      verbs: ["get"],
      subresources: [
        { name: "scale", kind: "autoscaling/v1/Scale", verbs: ["get", "update"] },
        { name: "status", kind: "parts.example.com/v1/Part", verbs: ["get"] },
      ],
    },
    {
      ...of,
      plural: "boxes",
      kind: "Box",
      namespaced: false,
      singular: "",
      shortNames: [],
      categories: [],
      verbs: ["list"],
      subresources: [],
    },
  ]);
});

test("whatever a server sends, what is listed has names and kinds", () => {
  const entries = fc.record(
    {
      name: fc.oneof(fc.string(), fc.jsonValue()),
      kind: fc.oneof(fc.string(), fc.jsonValue()),
      verbs: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const documents = fc.oneof(
    fc.jsonValue(),
    fc.record({ resources: fc.array(fc.oneof(entries, fc.jsonValue())) }),
  );
  fc.assert(
    fc.property(documents, (document) => {
      for (const listed of listedByExtension(of, document) ?? []) {
        expect(typeof listed.plural).toBe("string");
        expect(typeof listed.kind).toBe("string");
      }
    }),
    { numRuns: 300 },
  );
});
