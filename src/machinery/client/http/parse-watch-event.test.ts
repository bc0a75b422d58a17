import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseWatchEvent } from "./parse-watch-event.ts";

const entry = (fieldsV1: object) => ({
  manager: "kubectl",
  operation: "Update",
  fieldsType: "FieldsV1",
  fieldsV1,
});
const lineOf = (object: object) => JSON.stringify({ type: "MODIFIED", object });
const parsed = (line: string) => parseWatchEvent(line, { withoutManagedFields: true });

const spec = { containers: [{ name: "web", ports: [{ name: "a" }] }], paused: false };
const metadata = { name: "web", uid: "u", resourceVersion: "1" };
const status = { replicas: 1 };
const labels = { app: "web" };
const managedFields = [entry({})];
const wanted = { type: "MODIFIED", object: { kind: "Pod", metadata, spec, status } };

test.for<{ name: string; object: object }>([
  {
    name: "last in its metadata, as an API server writes it",
    object: {
      kind: "Pod",
      metadata: { ...metadata, managedFields: [entry({ "f:spec": {} }), entry({})] },
      spec,
      status,
    },
  },
  {
    name: "with members behind it",
    object: {
      kind: "Pod",
      metadata: { name: "web", managedFields: [entry({})], uid: "u", resourceVersion: "1" },
      spec,
      status,
    },
  },
  { name: "empty", object: { kind: "Pod", metadata: { ...metadata, managedFields: [] }, spec, status } },
  {
    name: "first in its metadata",
    object: { kind: "Pod", metadata: { managedFields: [entry({})], ...metadata }, spec, status },
  },
  {
    name: "behind the spec",
    object: { spec, kind: "Pod", metadata: { ...metadata, managedFields: [entry({})] }, status },
  },
  {
    name: "with the end of a list in the name of a field",
    object: {
      kind: "Pod",
      metadata: { ...metadata, managedFields: [entry({ "f:a}]}b": {} }), entry({ "f:}],": {} })] },
      spec,
      status,
    },
  },
])("managed fields $name are left out, and nothing else", ({ object }) => {
  expect(parsed(lineOf(object))).toEqual(wanted);
});

test.for<{ name: string; object: object }>([
  {
    name: "the template in a spec",
    object: { kind: "Deployment", metadata, spec: { template: { metadata: { labels, managedFields } } } },
  },
  {
    name: "the template of a PodTemplate, which has no spec",
    object: { kind: "PodTemplate", metadata, template: { metadata: { labels, managedFields } } },
  },
  {
    name: "data before the metadata, as a custom resource may have",
    object: { apiVersion: "example.com/v1", data: { labels, managedFields }, kind: "Example", metadata },
  },
  {
    name: "metadata within the data before the metadata",
    object: { data: { metadata: { labels, managedFields } }, kind: "Example", metadata },
  },
])("managed fields in $name are part of the object", ({ object }) => {
  expect(parsed(lineOf(object))).toEqual({ type: "MODIFIED", object });
});

test("managed fields are there for a reader that wants them", () => {
  const object = { kind: "Pod", metadata: { ...metadata, managedFields: [entry({})] } };
  expect(parseWatchEvent(lineOf(object))).toEqual({ type: "MODIFIED", object });
});

test("whatever the names and texts of an object are, it is the same without its managed fields", () => {
  const text = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom("}", "]", ",", '"', "\\", '"spec":', ',"managedFields":[{', "}]}", "}],"), {
        maxLength: 6,
      })
      .map((parts) => parts.join("")),
  );
  const fields = fc.dictionary(text, fc.dictionary(text, fc.constant({})), { maxKeys: 3 });
  const members = fc.dictionary(text, text, { maxKeys: 3 });
  fc.assert(
    fc.property(
      fc.record({ labels: members, annotations: members, before: fc.boolean() }),
      fc.array(fields, { maxLength: 3 }),
      fc.record({ volumes: fc.array(members, { maxLength: 3 }), names: members }),
      ({ labels, annotations, before }, sets, spec) => {
        const rest = { ...metadata, labels, annotations };
        const managedFields = sets.map(entry);
        const whole = before ? { managedFields, ...rest } : { ...rest, managedFields };
        const event = parsed(lineOf({ kind: "Pod", metadata: whole, spec }));
        expect(event).toEqual(JSON.parse(lineOf({ kind: "Pod", metadata: rest, spec })));
      },
    ),
    { numRuns: 500 },
  );
});
