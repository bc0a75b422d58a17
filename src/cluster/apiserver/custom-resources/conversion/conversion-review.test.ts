import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../api/json.ts";
import { readConversion, reviewText, reviewVersionOf, type SentReview } from "./conversion-review.ts";

const metadata = { name: "a", namespace: "default", uid: "u1", resourceVersion: "7", labels: { a: "b" } };
const object = { apiVersion: "example.com/v1", kind: "Foo", metadata, spec: { size: 1 } };
const converted = { apiVersion: "example.com/v2", kind: "Foo", metadata, spec: { amount: 1 } };
const sent: SentReview = { uid: "A", reviewVersion: "v1", desired: "example.com/v2", object };
const of = "conversion webhook for example.com/v1, Kind=Foo";

/** A review with a response, as JSON. */
function answer(response: Json | undefined, review: JsonObject = {}): string {
  const head = { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview" };
  return JSON.stringify({ ...head, ...review, ...(response !== undefined && { response }) });
}

const answered = (object: Json, rest: JsonObject = {}) =>
  answer({ uid: "A", result: { status: "Success" }, convertedObjects: [object], ...rest });

test("a review has the object, the wanted version and an identity", () => {
  expect(JSON.parse(reviewText(sent))).toEqual({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    request: { uid: "A", desiredAPIVersion: "example.com/v2", objects: [object] },
  });
});

test.for([
  { versions: ["v2", "v1beta1", "v1"], want: "v1beta1" },
  { versions: ["v1"], want: "v1" },
  { versions: ["v3"], want: undefined },
])("of $versions the first known version is sent", ({ versions, want }) => {
  expect(reviewVersionOf(versions)).toBe(want);
});

test("of the metadata only labels and annotations are taken from the answer", () => {
  const changed = {
    ...converted,
    metadata: {
      ...metadata,
      resourceVersion: "8",
      finalizers: ["x"],
      labels: { c: "d" },
      annotations: { e: "f" },
    },
  };
  expect(readConversion(sent, answered(changed))).toEqual({
    ok: true,
    object: { ...converted, metadata: { ...metadata, labels: { c: "d" }, annotations: { e: "f" } } },
  });
  const { labels: _labels, ...bare } = metadata;
  expect(readConversion(sent, answered({ ...converted, metadata: bare }))).toEqual({
    ok: true,
    object: { ...converted, metadata: bare },
  });
});

test("an old review needs neither its version nor the identity of the request", () => {
  const response = { result: { status: "Success" }, convertedObjects: [converted] };
  const read = readConversion({ ...sent, reviewVersion: "v1beta1" }, JSON.stringify({ response }));
  expect(read).toEqual({ ok: true, object: converted });
});

test("whatever a webhook answers, there is an object or a sentence", () => {
  const parts = fc.oneof(fc.jsonValue(), fc.constantFrom<Json>(object, converted, metadata, [converted]));
  const responses = fc.record(
    { uid: fc.constantFrom("A", "B"), result: parts, convertedObjects: fc.oneof(parts, fc.array(parts)) },
    { requiredKeys: [] },
  );
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    responses.map((response) => answer(response as Json)),
    fc.record({ apiVersion: parts, kind: parts, metadata: parts }).map((each) => answered(each as Json)),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const read = readConversion(sent, text);
      if (read.ok) expect(read.object).toMatchObject({ apiVersion: "example.com/v2", kind: "Foo" });
      else expect(read.why).toMatch(/^conversion webhook for example\.com\/v1, Kind=Foo /);
    }),
    { numRuns: 500 },
  );
});

describe("an answer is refused", () => {
  test.for<{ name: string; text: string; why: string }>([
    {
      name: "of another kind",
      text: answer({}, { kind: "AdmissionReview" }),
      why: `${of} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got apiextensions.k8s.io/v1, Kind=AdmissionReview`,
    },
    {
      name: "that says nothing",
      text: "{}",
      why: `${of} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=`,
    },
    { name: "without a response", text: answer(undefined), why: `${of} failed: no response provided` },
    {
      name: "to another request",
      text: answered(converted, { uid: "B" }),
      why: `${of} failed: expected response.uid="A", got "B"`,
    },
    {
      name: "that says why it failed",
      text: answered(converted, { result: { status: "Failed", message: "no such size" } }),
      why: `${of} failed: no such size`,
    },
    {
      name: "that failed without a word",
      text: answered(converted, { result: { status: "Failed" } }),
      why: `${of} failed: response.result.status was 'Failed', not 'Success'`,
    },
    {
      name: "without a result",
      text: answered(converted, { result: null }),
      why: `${of} failed: response.result.status was '', not 'Success'`,
    },
    {
      name: "without objects",
      text: answered(converted, { convertedObjects: [] }),
      why: `${of} returned 0 objects, expected 1`,
    },
    {
      name: "with too many objects",
      text: answered(converted, { convertedObjects: [converted, converted] }),
      why: `${of} returned 2 objects, expected 1`,
    },
    {
      name: "with something else",
      text: answered("converted"),
      why: `${of} returned invalid object at index 0: it is not an object`,
    },
    {
      name: "with the same version",
      text: answered(object),
      why: `${of} returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v1)`,
    },
    {
      name: "with another kind",
      text: answered({ ...converted, kind: "Bar" }),
      why: `${of} returned invalid object at index 0: invalid kind (expected Foo, received Bar)`,
    },
    {
      name: "with another name",
      text: answered({ ...converted, metadata: { ...metadata, name: "b" } }),
      why: `${of} returned invalid object: must have the same name: a != b`,
    },
    {
      name: "with another namespace",
      text: answered({ ...converted, metadata: { ...metadata, namespace: "other" } }),
      why: `${of} returned invalid object: must have the same namespace: default != other`,
    },
    {
      name: "with another UID",
      text: answered({ ...converted, metadata: { ...metadata, uid: "u2" } }),
      why: `${of} returned invalid object: must have the same UID: u1 != u2`,
    },
    {
      name: "with a label that is no text",
      text: answered({ ...converted, metadata: { ...metadata, labels: { a: 1 } } }),
      why: `${of} returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object`,
    },
    {
      name: "with labels that are no map",
      text: answered({ ...converted, metadata: { ...metadata, labels: ["a"] } }),
      why: `${of} returned invalid metadata: invalid metadata.labels of type []interface {} in converted object`,
    },
  ])("$name", ({ text, why }) => {
    expect(readConversion(sent, text)).toEqual({ ok: false, why });
  });

  test.for([
    { name: "that is no JSON", text: "<html>", says: "failed: invalid JSON" },
    {
      name: "with an invalid label",
      text: answered({ ...converted, metadata: { ...metadata, labels: { a: "b c" } } }),
      says: 'returned invalid metadata: metadata.labels: Invalid value: "b c"',
    },
    {
      name: "with an invalid annotation",
      text: answered({ ...converted, metadata: { ...metadata, annotations: { "a b": "c" } } }),
      says: 'returned invalid metadata: metadata.annotation: Invalid value: "a b"',
    },
  ])("$name", ({ text, says }) => {
    const read = readConversion(sent, text);
    expect(read.ok ? "" : read.why).toContain(`${of} ${says}`);
  });
});
