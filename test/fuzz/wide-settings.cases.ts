import type { WideInput } from "./wide-inputs.cases.ts";

// Wide inputs of the readers of custom kinds, of other servers' answers, and of settings.

const times = (count: number, part: (index: number) => string, separator = "") =>
  Array.from({ length: count }, (_, index) => part(index)).join(separator);
const list = <T>(count: number, item: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => item(index));
const pairs = (count: number, part: (index: number) => readonly [string, unknown]) =>
  Object.fromEntries(list(count, part));
const json = (value: unknown) => JSON.stringify(value);
const one = (input: Omit<WideInput, "targets"> & { readonly target: WideInput["targets"][number] }) => ({
  name: input.name,
  targets: [input.target],
  of: input.of,
});

const foo = (spec: object) =>
  json({ apiVersion: "example.com/v1", kind: "Foo", metadata: { name: "x" }, spec: { size: 2, ...spec } });
const text = { type: "string" };
const schemaOf = (spec: object) => json({ type: "object", properties: { spec } });

const customKinds: readonly WideInput[] = [
  ...(["set", "items", "labels", "free", "choice", "embedded", "unknown"] as const).flatMap((field) => [
    one({
      target: "custom-object",
      name: `members of ${field}`,
      of: (n) => foo({ [field]: pairs(n, (i) => [`k${i}`, "v"]) }),
    }),
    one({
      target: "custom-object",
      name: `texts in ${field}`,
      of: (n) => foo({ [field]: list(n, (i) => `v${i}`) }),
    }),
  ]),
  one({ target: "custom-object", name: "equal texts in set", of: (n) => foo({ set: list(n, () => "v") }) }),
  one({
    target: "custom-object",
    name: "items with keys",
    of: (n) => foo({ items: list(n, (i) => ({ name: `n${i}`, port: i })) }),
  }),
  one({
    target: "custom-object",
    name: "items with one key",
    of: (n) => foo({ items: list(n, () => ({ name: "n" })) }),
  }),
  one({
    target: "custom-object",
    name: "wrong items",
    of: (n) => foo({ items: list(n, () => ({ port: "x" })) }),
  }),
  one({
    target: "custom-schema",
    name: "fields",
    of: (n) => schemaOf({ type: "object", properties: pairs(n, (i) => [`f${i}`, text]) }),
  }),
  one({
    target: "custom-schema",
    name: "fields with defaults",
    of: (n) =>
      schemaOf({ type: "object", properties: pairs(n, (i) => [`f${i}`, { ...text, default: "v" }]) }),
  }),
  one({
    target: "custom-schema",
    name: "wrong fields",
    of: (n) => schemaOf({ type: "object", properties: pairs(n, (i) => [`f${i}`, { format: "x" }]) }),
  }),
  one({
    target: "custom-schema",
    name: "allowed words",
    of: (n) => schemaOf({ ...text, enum: list(n, (i) => `w${i}`), default: "w0" }),
  }),
  one({
    target: "custom-schema",
    name: "required fields",
    of: (n) => schemaOf({ type: "object", required: list(n, (i) => `f${i}`) }),
  }),
  one({
    target: "custom-schema",
    name: "branches",
    of: (n) => schemaOf({ type: "object", allOf: list(n, (i) => ({ required: [`f${i}`] })) }),
  }),
  one({
    target: "custom-schema",
    name: "keys of a list map",
    of: (n) =>
      schemaOf({
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": list(n, (i) => `k${i}`),
        items: {
          type: "object",
          properties: pairs(n, (i) => [`k${i}`, text]),
          required: list(n, (i) => `k${i}`),
        },
      }),
  }),
  one({ target: "printer-column", name: "steps", of: (n) => ".a".repeat(n) }),
  one({ target: "printer-column", name: "brackets", of: (n) => "[0]".repeat(n) }),
  one({ target: "printer-column", name: "open brackets", of: (n) => "[".repeat(n) }),
  one({ target: "printer-column", name: "searches", of: (n) => "..size".repeat(n) }),
  one({ target: "printer-column", name: "filters", of: (n) => "[?(@.a)]".repeat(n) }),
];

const verdict = (response: object) =>
  json({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: { uid: "u", ...response } });

const answers: readonly WideInput[] = [
  one({
    target: "webhook-answer",
    name: "warnings",
    of: (n) => verdict({ allowed: true, warnings: list(n, (i) => `w${i}`) }),
  }),
  one({
    target: "webhook-answer",
    name: "causes",
    of: (n) => verdict({ allowed: false, status: { details: { causes: list(n, () => ({})) } } }),
  }),
  one({
    target: "conversion-answer",
    name: "objects",
    of: (n) =>
      json({
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "ConversionReview",
        response: { uid: "u", result: { status: "Success" }, convertedObjects: list(n, () => ({})) },
      }),
  }),
  one({
    target: "conversion-answer",
    name: "labels",
    of: (n) =>
      json({
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "ConversionReview",
        response: {
          uid: "u",
          result: { status: "Success" },
          convertedObjects: [
            {
              apiVersion: "example.com/v2",
              kind: "Foo",
              metadata: { name: "x", labels: pairs(n, (i) => [`k${i}`, "v"]) },
            },
          ],
        },
      }),
  }),
  one({
    target: "picker-answer",
    name: "names",
    of: (n) => json({ chosen_pods: list(n, (i) => `p${i}`), tied_pods: list(n, (i) => `p${i}`) }),
  }),
  one({
    target: "picker-answer",
    name: "one name again and again",
    of: (n) => json({ chosen_pods: list(n, () => "web-a"), protected_pods: list(n, () => "web-a") }),
  }),
  one({
    target: "picker-question",
    name: "names",
    of: (n) => json({ number_of_pods_requested: 1, candidate_pods: list(n, (i) => `p${i}`) }),
  }),
  one({
    target: "steer-review",
    name: "labels",
    of: (n) =>
      json({
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        request: { uid: "u", object: { metadata: { labels: pairs(n, (i) => [`k${i}`, "v"]) } } },
      }),
  }),
  one({
    target: "page-request",
    name: "unknown members",
    of: (n) => json({ action: "scale", ...pairs(n, (i) => [`k${i}`, 1]) }),
  }),
  one({ target: "page-request", name: "paths", of: (n) => times(n, (i) => `of=/api/v1/pods${i}`, "&") }),
  one({
    target: "metrics-answer",
    name: "series",
    of: (n) =>
      json({
        data: {
          resultType: "vector",
          result: list(n, (i) => ({ metric: { pod: i % 2 === 0 ? "web-a" : `p${i}` }, value: [1, "1"] })),
        },
      }),
  }),
  // Bytes below 128 are the same in UTF-8, so the mask bit cannot be set, and the first frame is refused.
  one({ target: "web-socket-frames", name: "frames", of: (n) => "\u0001\u0000".repeat(n) }),
];

const ours = "apiVersion: trimtab.dev/v1alpha1\n";

const settings: readonly WideInput[] = [
  one({
    target: "picker-configuration",
    name: "pickers",
    of: (n) =>
      `${ours}kind: PickerConfiguration\npickers:\n${times(n, (i) => `  - { name: p${i}, workload: { namespace: a, name: w${i} }, score: { annotation: { key: a/b } } }\n`)}`,
  }),
  one({
    target: "picker-configuration",
    name: "wrong pickers",
    of: (n) => `${ours}kind: PickerConfiguration\npickers:\n${times(n, () => "  - { x: 1 }\n")}`,
  }),
  one({
    target: "steering-configuration",
    name: "wrong defaults",
    of: (n) =>
      `${ours}kind: SteeringConfiguration\nwebhook: {}\ndefaultSpread:\n${times(n, () => "  - { x: 1 }\n")}`,
  }),
  one({
    target: "node-groups",
    name: "groups",
    of: (n) => `${ours}kind: NodeGroups\ngroups:\n${times(n, (i) => `  - { name: g${i}, count: 1 }\n`)}`,
  }),
  one({
    target: "node-groups",
    name: "labels",
    of: (n) =>
      `${ours}kind: NodeGroups\ngroups:\n  - name: g\n    count: 1\n    labels:\n${times(n, (i) => `      k${i}: v\n`)}`,
  }),
  one({
    target: "recording",
    name: "lines",
    of: (n) =>
      `${json({ apiVersion: "trimtab.dev/v1alpha1", kind: "Recording", scenario: "s", seed: 1, durationSeconds: 1, start: "2026-01-01T00:00:00Z" })}\n${times(n, (i) => `[${i},${i},"+","pods","default/p${i % 7}",{}]\n`)}`,
  }),
  one({
    target: "load",
    name: "metrics",
    of: (n) => times(n, (i) => `m${i}: { total: 1 }\n`),
  }),
  one({
    target: "load",
    name: "points",
    of: (n) =>
      json({ cpu: { total: { points: list(n, (i) => ({ at: `${i}s`, value: 1 })), every: "9000h" } } }),
  }),
  one({
    target: "cron-schedule",
    name: "minutes",
    of: (n) => `${times(n, (i) => String(i % 60), ",")} * * * *`,
  }),
  one({ target: "cron-schedule", name: "ranges", of: (n) => `${"0-59,".repeat(n)}1 * * * *` }),
  one({ target: "cron-schedule", name: "fields", of: (n) => "* ".repeat(n) }),
  one({ target: "command", name: "commands", of: (n) => "true;".repeat(n) }),
  one({ target: "command", name: "pauses", of: (n) => `sleep ${"1 ".repeat(n)}` }),
  one({
    target: "simulation-annotations",
    name: "unknown settings",
    of: (n) => times(n, (i) => `x${i}=1\n`),
  }),
];

/** Inputs that these readers might take more than proportional time for. */
export const wideSettings: readonly WideInput[] = [...customKinds, ...answers, ...settings];
