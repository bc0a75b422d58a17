import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseAllDocuments, stringify } from "yaml";
import type { SettingsForm } from "../../api/convert-settings.ts";
import type { JsonObject } from "../../api/json.ts";
import { convertText } from "./convert-text.ts";

function converted(text: string, form: SettingsForm): string {
  const result = convertText(text, form);
  if (!result.ok) throw new Error(result.problems.join("\n"));
  return result.text;
}

const fields = `# The shop.
apiVersion: apps/v1
kind: Deployment
metadata: { name: web } # what it is called
spec:
  replicas: 0644 # octal
  podReplacementPolicy: TerminationComplete
  # The least busy Pods go.
  downscalePodPicker:
    http: { host: picker.default.svc, port: 80 } # the Service
    timeoutSeconds: 2
  paused: yes
  template:
    metadata:
      annotations: { since: 2026-11-18T09:00:00Z }
---
# The Service.
apiVersion: v1
kind: Service
metadata: {name:   picker}
spec: {ports: [{port: 80}]}
`;

const annotated = `# The shop.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations:
    # The least busy Pods go.
    # the Service
    trimtab.dev/downscale-pod-picker: |-
      {
        "http": {
          "host": "picker.default.svc",
          "port": 80
        },
        "timeoutSeconds": 2
      }
    trimtab.dev/pod-replacement-policy: TerminationComplete
  # what it is called
spec:
  replicas: 0644 # octal
  paused: yes
  template:
    metadata:
      annotations: { since: 2026-11-18T09:00:00Z }
---
# The Service.
apiVersion: v1
kind: Service
metadata: {name:   picker}
spec: {ports: [{port: 80}]}
`;

test("fields become annotations; comments, order and other documents stay as they are", () => {
  expect(converted(fields, "stock")).toBe(annotated);
});

test("annotations become fields", () => {
  expect(converted(annotated, "trimtab")).toMatchInlineSnapshot(`
    "# The shop.
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: web
      # what it is called
    spec:
      replicas: 0644 # octal
      paused: yes
      template:
        metadata:
          annotations: { since: 2026-11-18T09:00:00Z }
      # The least busy Pods go.
      # the Service
      downscalePodPicker:
        http:
          host: picker.default.svc
          port: 80
        timeoutSeconds: 2
      podReplacementPolicy: TerminationComplete
    ---
    # The Service.
    apiVersion: v1
    kind: Service
    metadata: {name:   picker}
    spec: {ports: [{port: 80}]}
    "
  `);
});

test("JSON stays JSON", () => {
  const spec = { downscalePodPicker: { http: { host: "a", port: 1 } } };
  const object = { apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { name: "web" }, spec };
  const stock = converted(JSON.stringify(object), "stock");
  expect(JSON.parse(stock)).toEqual({
    ...object,
    metadata: {
      name: "web",
      annotations: { "trimtab.dev/downscale-pod-picker": JSON.stringify(spec.downscalePodPicker) },
    },
    spec: {},
  });
  expect(JSON.parse(converted(stock, "trimtab"))).toEqual(object);
});

const words = fc.string({
  unit: fc.constantFrom("a", "0", "-", ":", "#", "'", '"', "\n", "ß", "{", "\\", " ", "~"),
  maxLength: 8,
});
const scalars = fc.oneof(
  words,
  fc.integer(),
  fc.boolean(),
  fc.constantFrom("yes", "0644", "null", "1e3", "2026-11-18"),
);
const pickers = fc.dictionary(
  fc.constantFrom("http", "grpc", "tls", "a b", "0"),
  fc.oneof(scalars, fc.array(scalars), fc.dictionary(words, scalars)),
  {
    minKeys: 1,
  },
);
const workloads: fc.Arbitrary<JsonObject> = fc
  .record({
    kind: fc.constantFrom("Deployment", "ReplicaSet", "Service"),
    annotations: fc.option(fc.dictionary(fc.constantFrom("team", "a.b/c"), words, { minKeys: 1 }), {
      nil: undefined,
    }),
    picker: fc.option(pickers, { nil: undefined }),
    policy: fc.option(fc.constantFrom("TerminationComplete", "TerminationStarted"), { nil: undefined }),
    more: fc.dictionary(fc.constantFrom("replicas", "paused", "x"), scalars),
  })
  .map(({ kind, annotations, picker, policy, more }) => ({
    apiVersion: kind === "Service" ? "v1" : "apps/v1",
    kind,
    metadata: { name: "web", ...(annotations !== undefined && { annotations }) },
    spec: {
      ...more,
      ...(picker !== undefined && kind !== "Service" && { downscalePodPicker: picker }),
      ...(policy !== undefined && kind === "Deployment" && { podReplacementPolicy: policy }),
    },
  }));

const valuesOf = (text: string) =>
  [...parseAllDocuments(text, { version: "1.1" })].map((document) => document.toJS() as unknown);

test.for([
  { name: "YAML", options: {} },
  { name: "YAML in braces", options: { collectionStyle: "flow" } },
] as const)("$name to stock and back loses nothing, whatever is in it", ({ options }) => {
  fc.assert(
    fc.property(fc.array(workloads, { minLength: 1, maxLength: 3 }), (objects) => {
      const text = objects.map((object) => stringify(object, { version: "1.1", ...options })).join("---\n");
      // What the library cannot write and read again is not ours to convert.
      fc.pre(parseAllDocuments(text, { version: "1.1" }).every(({ errors }) => errors.length === 0));
      const stock = converted(text, "stock");
      expect(stock).not.toMatch(/^ *"?(downscalePodPicker|podReplacementPolicy)"?:/m);
      expect(valuesOf(converted(stock, "trimtab"))).toEqual(valuesOf(text));
      expect(converted(stock, "stock")).toBe(stock);
    }),
    { numRuns: 100 },
  );
});

test("JSON to stock and back loses nothing", () => {
  fc.assert(
    fc.property(fc.array(workloads, { minLength: 1, maxLength: 3 }), (items) => {
      const list = { apiVersion: "v1", kind: "List", items };
      expect(JSON.parse(converted(converted(JSON.stringify(list), "stock"), "trimtab"))).toEqual(list);
    }),
  );
});

test.for([
  {
    name: "text that is not YAML",
    text: "kind: Deployment\nspec: {a: b",
    problem: /^2:\d+: /,
  },
  {
    name: "a field and an annotation that disagree",
    text: `apiVersion: apps/v1
kind: Deployment
metadata: { annotations: { trimtab.dev/pod-replacement-policy: TerminationStarted } }
spec:
  podReplacementPolicy: TerminationComplete
`,
    problem: /^5:25: spec\.podReplacementPolicy: Forbidden: metadata\.annotations\[.*\] says something else/,
  },
  {
    name: "a picker that comes from a merge",
    text: `apiVersion: apps/v1
kind: Deployment
base: &base { downscalePodPicker: { http: { host: a, port: 1 } } }
spec:
  <<: *base
`,
    problem: /^5:3: spec\.downscalePodPicker comes from a merge/,
  },
  {
    name: "a picker that an alias refers to",
    text: `apiVersion: apps/v1
kind: Deployment
spec:
  downscalePodPicker: &picker { http: { host: a, port: 1 } }
  other: *picker
`,
    problem: /^4:3: an alias refers to what would move: .*picker/,
  },
])("$name is a problem with its place", ({ text, problem }) => {
  const result = convertText(text, "stock");
  expect(result).toEqual({ ok: false, problems: [expect.stringMatching(problem)] });
});

test("a document that contains itself is refused", () => {
  expect(convertText("a: &a [*a]", "stock").ok).toBe(false);
});
