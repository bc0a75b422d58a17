import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../../../api/feature-gates.ts";
import { formatFieldError } from "../../../../api/field-error.ts";
import type { ObjectMeta } from "../../../../api/generated/meta-v1.ts";
import { dns1123LabelProblems } from "../../../../api/names.ts";
import type { Sent } from "../../../../api/sent.ts";
import { repeatedOwnerWarnings } from "./owner-references.ts";
import { withObjectMeta } from "./with-object-meta.ts";

interface Thing {
  readonly metadata?: Sent<ObjectMeta>;
}
const context = { gates: defaultFeatureGates, now: 0 };
const plain = withObjectMeta<Thing>({});
const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "u1" };
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const keyCharacters =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

describe("metadata", () => {
  const cases: readonly { name: string; meta: Sent<ObjectMeta>; want: readonly string[] }[] = [
    { name: "with a good name", meta: { name: "web-1.x", namespace: "default" }, want: [] },
    {
      name: "without a name",
      meta: {},
      want: ["metadata.name: Required value: name or generateName is required"],
    },
    {
      name: "with a bad name",
      meta: { name: "Web" },
      want: [`metadata.name: Invalid value: "Web": ${subdomain}`],
    },
    { name: "with a prefix that ends in a dash", meta: { name: "a-x", generateName: "a-" }, want: [] },
    {
      name: "with a bad prefix",
      meta: { name: "web", generateName: "W_" },
      want: [`metadata.generateName: Invalid value: "W_": ${subdomain}`],
    },
    {
      name: "with a dotted namespace",
      meta: { name: "web", namespace: "a.b" },
      want: ['metadata.namespace: Invalid value: "a.b": must not contain dots'],
    },
    {
      name: "with a bad label",
      meta: { name: "web", labels: { "-a": "b" } },
      want: [`metadata.labels: Invalid value: "-a": ${keyCharacters}`],
    },
    {
      name: "with an upper-case annotation prefix",
      meta: { name: "web", annotations: { "Example.COM/A": "" } },
      want: [],
    },
    {
      name: "with a bad annotation key",
      meta: { name: "web", annotations: { "a b": "" } },
      want: [`metadata.annotations: Invalid value: "a b": ${keyCharacters}`],
    },
    {
      name: "with annotations of 256 KiB",
      meta: { name: "web", annotations: { a: "x".repeat(262143) } },
      want: [],
    },
    {
      name: "with larger annotations",
      meta: { name: "web", annotations: { a: "x".repeat(262144) } },
      want: ["metadata.annotations: Too long: may not be more than 262144 bytes"],
    },
    { name: "with finalizers", meta: { name: "web", finalizers: ["example.com/a", "orphan"] }, want: [] },
    {
      name: "with a bad finalizer",
      meta: { name: "web", finalizers: ["a/b c"] },
      want: [`metadata.finalizers: Invalid value: "a/b c": ${keyCharacters}`],
    },
    {
      name: "with a finalizer that has no domain",
      meta: { name: "web", finalizers: ["orphan", "slow"] },
      want: [
        'metadata.finalizers[1]: Invalid value: "slow": name is neither a standard finalizer name nor is it fully qualified',
      ],
    },
    {
      name: "with contradicting finalizers",
      meta: { name: "web", finalizers: ["orphan", "foregroundDeletion"] },
      want: [
        'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
      ],
    },
    {
      name: "with an owner",
      meta: { name: "web", ownerReferences: [{ ...owner, controller: true }] },
      want: [],
    },
    {
      name: "with an owner of no description",
      meta: { name: "web", ownerReferences: [{}] },
      want: [
        'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
        'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
        'metadata.ownerReferences.name: Invalid value: "": must not be empty',
        'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
      ],
    },
    {
      name: "with an owner of no version",
      meta: { name: "web", ownerReferences: [{ ...owner, apiVersion: "apps/" }] },
      want: ['metadata.ownerReferences.apiVersion: Invalid value: "apps/": version must not be empty'],
    },
    {
      name: "owned by an Event",
      meta: { name: "web", ownerReferences: [{ apiVersion: "v1", kind: "Event", name: "e", uid: "u" }] },
      want: [
        'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"e","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
      ],
    },
    {
      name: "with two controllers",
      meta: {
        name: "web",
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, name: "api", uid: "u2", controller: true },
        ],
      },
      want: [
        `metadata.ownerReferences: Invalid value: ${JSON.stringify([
          { ...owner, controller: true },
          { ...owner, name: "api", uid: "u2", controller: true },
        ])}: Only one reference can have Controller set to true. Found "true" in references for ReplicaSet/web and ReplicaSet/api`,
      ],
    },
  ];
  test.for(cases)("$name gets what Kubernetes says", ({ meta, want }) => {
    expect(plain.validate?.({ metadata: meta }, context).map(formatFieldError)).toEqual(want);
  });

  test("names follow the kind's own rule", () => {
    const labelled = withObjectMeta<Thing>({ nameProblems: dns1123LabelProblems });
    expect(labelled.validate?.({ metadata: { name: "a.b" } }, context).map(formatFieldError)).toEqual([
      'metadata.name: Invalid value: "a.b": must not contain dots',
    ]);
  });

  test("an object without metadata lacks a name", () => {
    expect(plain.validate?.({}, context)).toHaveLength(1);
  });
});

describe("an update of metadata", () => {
  const stored = { name: "web", namespace: "default", uid: "u1", creationTimestamp: "2026-11-15T00:00:00Z" };
  const cases: readonly {
    name: string;
    previous?: Sent<ObjectMeta>;
    next: Sent<ObjectMeta>;
    want: readonly string[];
  }[] = [
    {
      name: "may change labels and finalizers",
      next: { ...stored, labels: { a: "b" }, finalizers: ["a/b"] },
      want: [],
    },
    {
      name: "keeps the UID",
      next: { ...stored, uid: "u2" },
      want: ['metadata.uid: Invalid value: "u2": field is immutable'],
    },
    {
      name: "keeps the name",
      next: { ...stored, name: "api" },
      want: ['metadata.name: Invalid value: "api": field is immutable'],
    },
    {
      name: "keeps the namespace",
      next: { ...stored, namespace: "other" },
      want: ['metadata.namespace: Invalid value: "other": field is immutable'],
    },
    {
      name: "cannot begin a deletion",
      next: { ...stored, deletionTimestamp: "2026-11-15T00:00:00Z" },
      want: ['metadata.deletionTimestamp: Invalid value: "2026-11-15T00:00:00Z": field is immutable'],
    },
    {
      name: "adds no finalizer to what is being deleted",
      previous: { ...stored, deletionTimestamp: "t", finalizers: ["a/kept"] },
      next: { ...stored, deletionTimestamp: "t", finalizers: ["a/kept", "b/new"] },
      want: [
        'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"b/new"}',
      ],
    },
    {
      name: "may remove finalizers of what is being deleted",
      previous: { ...stored, deletionTimestamp: "t", finalizers: ["a/kept"] },
      next: { ...stored, deletionTimestamp: "t" },
      want: [],
    },
  ];
  test.for(cases)("$name", ({ previous = stored, next, want }) => {
    const change = { next: { metadata: next }, previous: { metadata: previous } };
    expect(plain.validateUpdate?.(change, context).map(formatFieldError)).toEqual(want);
    expect(plain.validateStatusUpdate?.(change, context).map(formatFieldError)).toEqual(want);
  });
});

describe("owners that are named twice", () => {
  const twice = { metadata: { name: "web", ownerReferences: [owner, { ...owner, uid: "u2" }, owner] } };

  test("are stored once", () => {
    const want = { metadata: { name: "web", ownerReferences: [owner, { ...owner, uid: "u2" }] } };
    expect(plain.prepareForCreate?.(twice, context)).toEqual(want);
    expect(plain.prepareForUpdate?.({ next: twice, previous: want }, context)).toEqual(want);
  });

  test("are pointed out to the client", () => {
    expect(repeatedOwnerWarnings(twice)).toEqual([
      expect.stringMatching(/contains duplicate entries.*duplicate UID\(s\) observed: u1$/),
    ]);
  });

  test("stay two where they say different things", () => {
    const differing = { metadata: { ownerReferences: [owner, { ...owner, controller: true }] } };
    expect(plain.prepareForCreate?.(differing, context)).toBe(differing);
  });
});
