import { expect, test } from "vitest";
import type { PodTemplateSpec } from "../../api/generated/core-v1.ts";
import {
  hashRevision,
  isSameData,
  revisionDataOf,
  revisionText,
  storesTemplate,
  templateOfRevision,
} from "./revision-data.ts";

test("the hash is the one of kube-controller-manager", () => {
  const data = { spec: { template: { $patch: "replace" } } };
  expect([hashRevision(data, 0), hashRevision(data, 1)]).toEqual(["589f85db5b", "589f85db5c"]);
});

test("data is written as Go writes maps", () => {
  const template = {
    spec: { containers: [{ name: "app", image: "x", args: ["a<b>&\u2028"] }] },
    metadata: { labels: { b: "1", a: "2" }, creationTimestamp: null },
  } as unknown as PodTemplateSpec;
  expect(revisionText(revisionDataOf(template))).toBe(
    '{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"a":"2","b":"1"}},' +
      '"spec":{"containers":[{"args":["a\\u003cb\\u003e\\u0026\\u2028"],"image":"x","name":"app"}]}}}}',
  );
});

const template = (image: string): PodTemplateSpec => ({ spec: { containers: [{ name: "app", image }] } });

test("a revision gives back the template it stores, and is found by it however that is written", () => {
  const stored = { data: revisionDataOf(template("a")) };
  expect(templateOfRevision(stored)).toEqual(template("a"));
  expect(storesTemplate(stored, { metadata: {}, ...template("a") })).toBe(true);
  expect(storesTemplate(stored, template("b"))).toBe(false);
  expect(isSameData(stored, { data: revisionDataOf(template("a")) })).toBe(true);
  expect(isSameData(stored, { data: revisionDataOf(template("b")) })).toBe(false);
});

test.for([
  undefined,
  null,
  5,
  [],
  {},
  { spec: 5 },
  { spec: { template: [] } },
  { spec: { template: { spec: 7 } } },
])("data of another form, %o, stores no template of a workload", (data) => {
  expect(storesTemplate({ data }, template("a"))).toBe(false);
});
