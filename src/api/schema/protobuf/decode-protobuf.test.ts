import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeProtobuf, lengthDelimited, varint } from "../../../testing/encode-protobuf.ts";
import { sampleObject } from "../../../testing/sample-object.ts";
import type { JsonObject } from "../../json.ts";
import { decodeObject } from "../decode-object.ts";
import { shapeOf } from "../shape.ts";
import { bodyType, schemaTable } from "../table.ts";
import { decodeProtobuf, isProtobuf } from "./decode-protobuf.ts";

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../../../test/fixtures/protobuf");
const fixtures = readdirSync(folder).map((file) => ({
  name: file.replace(".json", ""),
  ...(JSON.parse(readFileSync(path.join(folder, file), "utf8")) as {
    command: string;
    body: string;
    json: JsonObject;
  }),
}));
const bytesOf = (body: string): Uint8Array => Uint8Array.from(Buffer.from(body, "base64"));

/** What the JSON form of an object becomes when that is sent instead. */
function fromJson(object: JsonObject): JsonObject {
  const { apiVersion, kind } = object as { readonly apiVersion: string; readonly kind: string };
  const decoded = decodeObject(bodyType(apiVersion, kind) ?? "", object);
  if (!decoded.ok) throw new Error(decoded.error);
  expect(decoded.unknownFields).toEqual([]);
  return decoded.object;
}

test.for(fixtures)("the body of $command is the JSON older clients send", ({ body, json }) => {
  const decoded = decodeProtobuf(bytesOf(body));
  if (!decoded.ok) throw new Error(decoded.error);
  expect([decoded.apiVersion, decoded.kind]).toEqual([json["apiVersion"], json["kind"]]);
  expect(JSON.stringify(decoded.object)).toBe(JSON.stringify(fromJson(json)));
});

const bodies = [...schemaTable().objects]
  .filter(
    ([, type]) =>
      schemaTable().types.get(type)?.proto !== false && shapeOf(type)?.byName.has("kind") === true,
  )
  .map(([name]) => ({
    apiVersion: name.slice(0, name.lastIndexOf("/")).replace("*", "v1"),
    kind: name.slice(name.lastIndexOf("/") + 1),
  }));

test.for(bodies)("$apiVersion $kind with every field set survives the wire", ({ apiVersion, kind }) => {
  const sample = sampleObject(bodyType(apiVersion, kind) ?? "", 3);
  const object = fromJson({ ...sample, kind, apiVersion });
  expect(decodeProtobuf(encodeProtobuf(object))).toEqual({ ok: true, apiVersion, kind, object });
});

describe("decodeProtobuf", () => {
  const pod = { apiVersion: "v1", kind: "Pod" };
  const podSpec = (fields: readonly number[]): Uint8Array => message("v1", "Pod", lengthDelimited(2, fields));
  const decodedSpec = (bytes: Uint8Array): unknown => {
    const decoded = decodeProtobuf(bytes);
    return decoded.ok ? decoded.object["spec"] : decoded.error;
  };

  test.for([
    { name: "drops zeros that mean absent", fields: [0x58, 0x00], want: { containers: [] } },
    {
      name: "keeps zeros behind a pointer",
      fields: [0x20, 0x00],
      want: { containers: [], terminationGracePeriodSeconds: 0 },
    },
    {
      name: "keeps empty messages behind a pointer",
      fields: [0x72, 0x00],
      want: { containers: [], securityContext: {} },
    },
    {
      name: "skips unknown numbers of every wire type",
      fields: [
        ...varint(8000n),
        1,
        ...varint(8001n),
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        ...varint(8002n),
        1,
        9,
        ...varint(8005n),
        1,
        2,
        3,
        4,
      ],
      want: { containers: [] },
    },
    {
      name: "reads negative numbers",
      fields: [0xc8, 0x01, ...varint(-5n)],
      want: { containers: [], priority: -5 },
    },
    {
      name: "takes the last of a repeated single value",
      fields: [...lengthDelimited(3, [65]), ...lengthDelimited(3, [66])],
      want: { containers: [], restartPolicy: "B" },
    },
    {
      name: "merges an inlined message into its parent",
      fields: lengthDelimited(1, [
        ...lengthDelimited(2, lengthDelimited(2, [])),
        ...lengthDelimited(1, [0x76]),
      ]),
      want: { volumes: [{ name: "v", emptyDir: {} }], containers: [] },
    },
    {
      name: "takes a map entry without key or value",
      fields: lengthDelimited(7, []),
      want: { containers: [], nodeSelector: { "": "" } },
    },
    {
      name: "takes __proto__ for a key like any other",
      fields: lengthDelimited(7, lengthDelimited(1, [...Buffer.from("__proto__")])),
      want: { containers: [], nodeSelector: Object.fromEntries([["__proto__", ""]]) },
    },
    {
      name: "makes the best of bad UTF-8",
      fields: lengthDelimited(3, [0xff]),
      want: { containers: [], restartPolicy: "\uFFFD" },
    },
    {
      name: "keeps a byte order mark",
      fields: lengthDelimited(3, [0xef, 0xbb, 0xbf, 65]),
      want: { containers: [], restartPolicy: "\uFEFFA" },
    },
  ])("$name", ({ fields, want }) => {
    expect(decodedSpec(podSpec(fields))).toEqual(want);
  });

  test("reads packed numbers and ones apart alike", () => {
    const groups = (fields: readonly number[]) => decodedSpec(podSpec(lengthDelimited(14, fields)));
    const want = { containers: [], securityContext: { supplementalGroups: [1, 300] } };
    expect(groups([0x20, 1, 0x20, 0xac, 0x02])).toEqual(want);
    expect(groups(lengthDelimited(4, [1, 0xac, 0x02]))).toEqual(want);
  });

  test.for([
    { name: "no time", fields: [], want: {} },
    {
      name: "no time, spelled out by Go's zero",
      fields: [0x08, ...varint(-62_135_596_800n), 0x10, 0],
      want: {},
    },
    {
      name: "the epoch",
      fields: [0x08, 0x00, 0x10, 0x00],
      want: { creationTimestamp: "1970-01-01T00:00:00Z" },
    },
  ])("knows $name", ({ fields, want }) => {
    const decoded = decodeProtobuf(message("v1", "Pod", lengthDelimited(1, lengthDelimited(8, fields))));
    expect(decoded.ok && decoded.object["metadata"]).toEqual(want);
  });

  test("carries the number the proposal assigns to podReplacementPolicy", () => {
    const spec = lengthDelimited(2, lengthDelimited(10, [...Buffer.from("TerminationComplete")]));
    const decoded = decodeProtobuf(message("apps/v1", "Deployment", spec));
    expect(decoded.ok && decoded.object["spec"]).toMatchObject({
      podReplacementPolicy: "TerminationComplete",
    });
  });

  test.for([
    {
      name: "no magic",
      bytes: new Uint8Array([1, 2, 3, 4, 5]),
      want: "provided data does not appear to be a protobuf message, expected prefix 6b387300",
    },
    {
      name: "nothing at all",
      bytes: new Uint8Array(),
      want: "provided data does not appear to be a protobuf message, expected prefix 6b387300",
    },
    {
      name: "an unknown kind",
      bytes: message("v1", "Nope", []),
      want: 'no kind "Nope" is registered for version "v1"',
    },
    {
      name: "a kind that objects inherit",
      bytes: message("v1", "constructor", []),
      want: 'no kind "constructor" is registered for version "v1"',
    },
    {
      name: "no kind",
      bytes: new Uint8Array([0x6b, 0x38, 0x73, 0x00]),
      want: 'no kind "" is registered for version ""',
    },
    {
      name: "a kind without a protobuf form",
      bytes: message("meta.k8s.io/v1", "Table", []),
      want: "Table has no protobuf form",
    },
    {
      name: "an encoded body",
      bytes: new Uint8Array([...message("v1", "Pod", []), ...lengthDelimited(3, [...Buffer.from("gzip")])]),
      want: 'content encoding "gzip" is not supported',
    },
    { name: "a wrong wire type", bytes: podSpec([0x08, 0x01]), want: "proto: wrong wire type 0, expected 2" },
    { name: "a group", bytes: podSpec([0x1b]), want: "proto: wrong wire type 3, expected 2" },
    {
      name: "an unknown group",
      bytes: podSpec([...varint(8003n)]),
      want: "proto: wire type 3 is not supported",
    },
    { name: "field zero", bytes: podSpec([0x02, 0x00]), want: "proto: illegal tag 0" },
    { name: "a length beyond the end", bytes: podSpec([0x1a, 0x05, 65]), want: "proto: unexpected end" },
    { name: "a huge length", bytes: podSpec([0x1a, ...varint(2n ** 63n)]), want: "proto: unexpected end" },
    {
      name: "a number that never ends",
      bytes: podSpec([0x58, ...Array.from({ length: 20 }, () => 0xff)]),
      want: "proto: integer overflow",
    },
    {
      name: "an integer no number can hold",
      bytes: podSpec([0x20, ...varint(2n ** 53n)]),
      want: "proto: integer 9007199254740992: beyond ±9007199254740991 is not supported",
    },
    {
      name: "a quantity that is none",
      bytes: podSpec(
        lengthDelimited(32, [...lengthDelimited(1, [65]), ...lengthDelimited(2, lengthDelimited(1, [65]))]),
      ),
      want: "proto: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    },
    {
      name: "a time of no calendar",
      bytes: message("v1", "Pod", lengthDelimited(1, lengthDelimited(8, [0x08, ...varint(2n ** 50n)]))),
      want: "proto: time 1125899906842624.0 is out of range",
    },
    {
      name: "raw JSON that is none",
      bytes: message("apps/v1", "ControllerRevision", lengthDelimited(2, lengthDelimited(1, [0x7b]))),
      want: expect.stringContaining("proto: invalid JSON"),
    },
  ])("refuses $name", ({ bytes, want }) => {
    expect(decodeProtobuf(bytes)).toEqual({ ok: false, error: want });
  });

  test("refuses messages within messages without end", () => {
    let schema: number[] = [];
    // JSONSchemaProps.not is the recursion of the API; a million levels would be a stack overflow.
    for (let depth = 0; depth < 200; depth++) schema = lengthDelimited(28, schema);
    const version = lengthDelimited(4, lengthDelimited(1, schema));
    const body = message(
      "apiextensions.k8s.io/v1",
      "CustomResourceDefinition",
      lengthDelimited(2, lengthDelimited(7, version)),
    );
    expect(decodeProtobuf(body)).toEqual({ ok: false, error: "proto: exceeded max depth" });
  });

  test("refuses more packed numbers than any object has", () => {
    const packed = (count: number) => lengthDelimited(14, lengthDelimited(4, Array(count).fill(1)));
    const error = "proto: more than 100000 fields";
    expect(decodeProtobuf(podSpec(packed(200_000)))).toEqual({ ok: false, error });
    expect(decodeProtobuf(podSpec([...packed(60_000), ...packed(60_000)]))).toEqual({ ok: false, error });
    expect(decodeProtobuf(podSpec(packed(90_000))).ok).toBe(true);
  });

  test("refuses more JSON values in all embedded JSON than any object has", () => {
    // The fields of managed fields, number 7 and 1 of the entries with number 17 of the metadata.
    const json = [...Buffer.from(`{"f:a":[${"{},".repeat(30_000)}1]}`)];
    const entry = lengthDelimited(17, lengthDelimited(7, lengthDelimited(1, json)));
    const pod = (times: number) =>
      decodeProtobuf(message("v1", "Pod", lengthDelimited(1, Array<number[]>(times).fill(entry).flat())));
    expect(pod(2).ok).toBe(true);
    expect(pod(4)).toEqual({ ok: false, error: "proto: more than 100000 fields" });
  });

  test("refuses more fields than any object has", () => {
    const containers = Array.from({ length: 100_000 }, () => [0x12, 0]).flat();
    const body = message("v1", "Pod", lengthDelimited(2, containers));
    expect(decodeProtobuf(body)).toEqual({ ok: false, error: "proto: more than 100000 fields" });
  });

  test("answers truncated and damaged bodies, whatever they have become", () => {
    const body = fc.constantFrom(...fixtures.map((fixture) => bytesOf(fixture.body)));
    const damage = fc.array(fc.tuple(fc.nat(500), fc.nat(255)), { maxLength: 5 });
    fc.assert(
      fc.property(body, damage, fc.nat(500), (bytes, changes, length) => {
        const damaged = bytes.slice(0, 10 + length);
        for (const [at, byte] of changes) damaged[4 + (at % Math.max(1, damaged.length - 4))] = byte;
        expect(typeof decodeProtobuf(damaged).ok).toBe("boolean");
      }),
      { numRuns: 1000 },
    );
  });

  test("is only for bodies that start with the magic", () => {
    expect(isProtobuf(encodeProtobuf(pod))).toBe(true);
    expect(isProtobuf(new TextEncoder().encode("{}"))).toBe(false);
    expect(isProtobuf(new Uint8Array([0x6b, 0x38]))).toBe(false);
  });
});

function message(apiVersion: string, kind: string, raw: readonly number[]): Uint8Array {
  const typeMeta = [
    ...lengthDelimited(1, [...Buffer.from(apiVersion)]),
    ...lengthDelimited(2, [...Buffer.from(kind)]),
  ];
  return Uint8Array.from([
    0x6b,
    0x38,
    0x73,
    0x00,
    ...lengthDelimited(1, typeMeta),
    ...lengthDelimited(2, raw),
  ]);
}
