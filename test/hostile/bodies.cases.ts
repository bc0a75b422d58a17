import { configMaps, deployments, type HostileRequest, pods } from "./fixture.ts";

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
const configMap = (more: string) => `{"metadata":{"name":"x"},${more}}`;
const container = { name: "c", image: "i" };
const pod = (spec: object) =>
  JSON.stringify({ metadata: { name: "x" }, spec: { containers: [container], ...spec } });
const type = (text: string) => ({ "content-type": text });
const yaml = type("application/yaml");
const protobuf = type("application/vnd.kubernetes.protobuf");
const envelope = (...bytes: number[]) => Buffer.from([0x6b, 0x38, 0x73, 0x00, ...bytes]);
const bad = { code: 400, reason: "BadRequest" } as const;
const invalid = { code: 422, reason: "Invalid" } as const;

const toConfigMaps = { what: `POST ${configMaps}` };
const toPods = { what: `POST ${pods}` };

/** Hostile bodies, in the order of the server's checks. */
export const bodies: readonly HostileRequest[] = [
  {
    name: "of four mebibytes",
    ...toConfigMaps,
    body: " ".repeat(4 * 2 ** 20),
    code: 413,
    reason: "RequestEntityTooLarge",
    says: /limit is 3145728/,
  },
  {
    name: "of four mebibytes in pieces",
    ...toConfigMaps,
    headers: { "transfer-encoding": "chunked" },
    body: " ".repeat(4 * 2 ** 20),
    code: 413,
    reason: "RequestEntityTooLarge",
  },
  {
    name: "of an unknown media type",
    ...toConfigMaps,
    headers: type("text/html"),
    body: "<p>",
    code: 415,
    reason: "UnsupportedMediaType",
    says: /application\/json/,
  },
  {
    name: "of a malformed media type",
    ...toConfigMaps,
    headers: type("a/b/c;;;===\"'"),
    body: "{}",
    code: 415,
    reason: "UnsupportedMediaType",
  },
  {
    name: "that says it is compressed",
    ...toConfigMaps,
    headers: { "content-encoding": "gzip" },
    body: Buffer.from([0x1f, 0x8b, 0]),
    ...bad,
  },
  { name: "that is empty", ...toConfigMaps, body: "", ...bad },
  {
    name: "of half an object",
    ...toConfigMaps,
    body: '{"metadata":{"name":"x"',
    ...bad,
    says: /error decoding/,
  },
  { name: "with data after its end", ...toConfigMaps, body: "{}{}", ...bad },
  { name: "that is a list", ...toConfigMaps, body: "[]", ...bad },
  { name: "that is null", ...toConfigMaps, body: "null", ...invalid },
  { name: "that is a string", ...toConfigMaps, body: '"x"', ...bad },
  {
    name: "that is not UTF-8",
    ...toConfigMaps,
    body: Buffer.from([0x22, 0xff, 0xfe, 0x22]),
    ...bad,
    says: /UTF-8/,
  },
  {
    name: "with half a character",
    ...toConfigMaps,
    body: String.raw`{"metadata":{"name":"\ud800"}}`,
    ...invalid,
  },
  {
    name: "of another kind",
    ...toConfigMaps,
    body: '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"x"}}',
    ...bad,
  },
  {
    name: "of another version",
    ...toConfigMaps,
    body: '{"kind":"ConfigMap","apiVersion":"v9","metadata":{"name":"x"}}',
    ...bad,
  },
  {
    name: "for another namespace",
    ...toConfigMaps,
    body: '{"metadata":{"name":"x","namespace":"other"}}',
    ...bad,
    says: /namespace/,
  },
  { name: "with a list where a map belongs", ...toConfigMaps, body: configMap('"data":[]'), ...bad },
  { name: "with a number where a text belongs", ...toConfigMaps, body: configMap('"data":{"a":1}'), ...bad },
  {
    name: "with an object where a text belongs",
    ...toConfigMaps,
    body: '{"metadata":{"name":{"first":"x"}}}',
    ...bad,
  },
  { name: "with metadata of another type", ...toConfigMaps, body: '{"metadata":"x"}', ...bad },
  { name: "with a map where a list belongs", ...toPods, body: pod({ containers: { a: 1 } }), ...bad },
  { name: "with null in a list", ...toPods, body: pod({ containers: [null] }), ...invalid },
  {
    name: "with a fraction of replicas",
    what: `POST ${deployments}`,
    body: '{"metadata":{"name":"x"},"spec":{"replicas":1.5}}',
    ...bad,
  },
  {
    name: "with a number that overflows",
    what: `POST ${deployments}`,
    body: '{"metadata":{"name":"x"},"spec":{"replicas":1e400}}',
    ...bad,
  },
  {
    name: "with a number beyond its type",
    what: `POST ${deployments}`,
    body: '{"metadata":{"name":"x"},"spec":{"replicas":4294967296}}',
    ...bad,
  },
  {
    name: "with an impossible quantity",
    ...toPods,
    body: pod({ containers: [{ ...container, resources: { limits: { cpu: "lots" } } }] }),
    ...bad,
  },
  {
    name: "with an impossible time",
    ...toConfigMaps,
    body: '{"metadata":{"name":"x","deletionTimestamp":"tomorrow"}}',
    ...bad,
  },
  {
    name: "with malformed base64",
    what: "POST /api/v1/namespaces/default/secrets",
    body: '{"metadata":{"name":"x"},"data":{"a":"%%%"}}',
    ...bad,
  },
  {
    name: "with unknown fields under strict validation",
    what: `POST ${configMaps}?fieldValidation=Strict`,
    body: configMap('"colour":"green","metadata2":{}'),
    ...bad,
    says: /strict decoding error: unknown field "colour", unknown field "metadata2"/,
  },
  {
    name: "with duplicate fields under strict validation",
    what: `POST ${configMaps}?fieldValidation=Strict`,
    body: configMap('"data":{},"data":{}'),
    ...bad,
    says: /duplicate field "data"/,
  },
  {
    name: "with an unknown fieldValidation",
    what: `POST ${configMaps}?fieldValidation=Maybe`,
    body: "{}",
    ...invalid,
  },
  { name: "with an unknown dryRun", what: `POST ${configMaps}?dryRun=Some`, body: "{}", ...invalid },
  {
    name: "with __proto__ for a field",
    what: `POST ${configMaps}?fieldValidation=Strict`,
    body: configMap('"__proto__":{"polluted":true}'),
    ...bad,
  },
  {
    name: "with __proto__ in its metadata",
    what: `POST ${configMaps}?fieldValidation=Strict`,
    body: '{"metadata":{"name":"x","__proto__":{"polluted":true}}}',
    ...bad,
  },
  {
    name: "with __proto__ for a label",
    ...toConfigMaps,
    body: '{"metadata":{"name":"x","labels":{"__proto__":"polluted"}}}',
    ...invalid,
  },
  {
    name: "of deeply nested lists",
    ...toConfigMaps,
    body: configMap(`"x":${nested(100_000, "[", "]")}`),
    ...bad,
    says: /max depth/,
  },
  {
    name: "of deeply nested objects",
    ...toConfigMaps,
    body: nested(100_000, '{"a":', "}").replace(":}", ":1}"),
    ...bad,
    says: /max depth/,
  },
  {
    name: "of a million empty containers",
    ...toPods,
    body: pod({}).replace("[", `[${"{},".repeat(1_000_000)}`),
    ...bad,
    says: /more than 100000 values/,
  },
  {
    name: "of a million empty containers in protobuf",
    ...toPods,
    headers: protobuf,
    body: Buffer.concat([
      // The type, then a message of length-delimited fields number 2: Pod, its spec, its containers.
      envelope(0x0a, 0x09, 0x0a, 0x02, 0x76, 0x31, 0x12, 0x03, 0x50, 0x6f, 0x64),
      Buffer.from([0x12, 0x84, 0x89, 0x7a, 0x12, 0x80, 0x89, 0x7a]),
      Buffer.alloc(2_000_000, Buffer.from([0x12, 0x00])),
    ]),
    ...bad,
    says: /more than 100000 fields/,
  },
  {
    name: "of a million packed numbers in protobuf",
    ...toPods,
    headers: protobuf,
    body: Buffer.concat([
      envelope(0x0a, 0x09, 0x0a, 0x02, 0x76, 0x31, 0x12, 0x03, 0x50, 0x6f, 0x64),
      // The Pod, its spec, its security context (14), the supplemental groups in it (4).
      Buffer.from([
        0x12, 0x8c, 0x89, 0x7a, 0x12, 0x88, 0x89, 0x7a, 0x72, 0x84, 0x89, 0x7a, 0x22, 0x80, 0x89, 0x7a,
      ]),
      Buffer.alloc(2_000_000, 1),
    ]),
    ...bad,
    says: /more than 100000 fields/,
  },
  {
    name: "of YAML aliases of a long text",
    ...toConfigMaps,
    headers: yaml,
    body: `data:\n  a: &a ${"x".repeat(1_000_000)}\n${Array.from({ length: 99 }, (_none, index) => `  b${index}: *a\n`).join("")}`,
    ...bad,
    says: /YAML aliases/,
  },
  {
    name: "of 11 bytes of YAML that contain themselves",
    ...toConfigMaps,
    headers: yaml,
    body: "a: &a [*a]\n",
    ...bad,
    says: /anchor 'a' value contains itself/,
  },
  {
    name: "of 305 bytes of YAML that contain themselves 99 times",
    ...toConfigMaps,
    headers: yaml,
    body: `a: &a [${Array.from({ length: 99 }, () => "*a").join(",")}]\n`,
    ...bad,
    says: /anchor 'a' value contains itself/,
  },
  {
    name: "of YAML that contains itself, for a review that everyone may create",
    what: "POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    headers: yaml,
    body: `spec: &a {<<: [${"*a,".repeat(99)}]}\n`,
    ...bad,
    says: /anchor 'a' value contains itself/,
  },
  {
    name: "of YAML aliases of nothing beside many values",
    ...toConfigMaps,
    headers: yaml,
    body: `e: &e []\nx: &x [${"*e,".repeat(50)}]\ny: [${"*x,".repeat(48)}]\nz: [${"1,".repeat(15_000)}]\n`,
    // Read in milliseconds: a ConfigMap without a name.
    ...invalid,
  },
  {
    name: "of YAML that is nested too deep",
    ...toConfigMaps,
    headers: yaml,
    body: nested(24_000, "[", "]"),
    ...bad,
    says: /max depth/,
  },
  {
    name: "of more YAML tokens than the limit",
    ...toPods,
    headers: yaml,
    body: `spec:\n  containers:\n${"  - {}\n".repeat(400_000)}`,
    ...bad,
    says: /YAML tokens/,
  },
  {
    name: "with a name that is a path",
    ...toConfigMaps,
    body: '{"metadata":{"name":"../../etc/passwd"}}',
    ...invalid,
  },
  {
    name: "with a name of a million letters",
    ...toConfigMaps,
    body: `{"metadata":{"name":"${"a".repeat(1_000_000)}"}}`,
    ...invalid,
  },
  {
    name: "with fifty thousand annotations",
    ...toConfigMaps,
    body: JSON.stringify({
      metadata: {
        name: "x",
        annotations: Object.fromEntries(Array.from({ length: 50_000 }, (_none, index) => [`k${index}`, "v"])),
      },
    }),
    ...invalid,
  },
  { name: "of malformed YAML", ...toConfigMaps, headers: yaml, body: "a: [b", ...bad, says: /YAML/ },
  {
    name: "of YAML aliases that expand without bounds",
    ...toConfigMaps,
    headers: yaml,
    body: yamlBomb(),
    ...bad,
    says: /YAML/,
  },
  {
    name: "of YAML with tags of its own",
    ...toConfigMaps,
    headers: yaml,
    body: "metadata: !!js/function 'function () { return 1 }'",
    ...bad,
  },
  {
    name: "of YAML that merges __proto__",
    what: `POST ${configMaps}?fieldValidation=Strict`,
    headers: yaml,
    body: "metadata: {name: x}\n__proto__: {polluted: true}\n",
    ...bad,
  },
  { name: "of protobuf without its magic prefix", ...toConfigMaps, headers: protobuf, body: "{}", ...bad },
  {
    name: "of protobuf with nothing after its magic prefix",
    ...toConfigMaps,
    headers: protobuf,
    body: envelope(),
    ...bad,
  },
  {
    name: "of truncated protobuf",
    ...toConfigMaps,
    headers: protobuf,
    body: envelope(0x0a, 0xff, 0x01),
    ...bad,
  },
  {
    name: "of protobuf with an endless varint",
    ...toConfigMaps,
    headers: protobuf,
    body: envelope(0x0a, ...Array.from({ length: 20 }, () => 0xff)),
    ...bad,
  },
  {
    name: "of protobuf with a length beyond the body",
    ...toConfigMaps,
    headers: protobuf,
    body: envelope(0x12, 0xff, 0xff, 0xff, 0xff, 0x7f),
    ...bad,
  },
  {
    name: "of protobuf with groups",
    ...toConfigMaps,
    headers: protobuf,
    body: envelope(...Array.from({ length: 10_000 }, () => 0x0b)),
    ...bad,
  },
];

function yamlBomb(): string {
  const lines = ['a0: &a0 "x"'];
  for (let level = 1; level <= 30; level++)
    lines.push(`a${level}: &a${level} [*a${level - 1}, *a${level - 1}]`);
  return lines.join("\n");
}
