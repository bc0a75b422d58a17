import { describe, expect, expectTypeOf, test } from "vitest";
import { formatFieldError, invalid } from "../field-error.ts";
import type { NodeAffinity } from "../generated/core-v1.ts";
import {
  anything,
  anyText,
  apiType,
  choice,
  type DocumentOf,
  duration,
  either,
  exactlyOneOf,
  flag,
  int32,
  list,
  map,
  record,
  text,
} from "./document-schema.ts";
import { readDocument, readParts } from "./read-document.ts";
import { toJsonSchema } from "./to-json-schema.ts";

const port = record(
  "A port.",
  {
    number: int32("Its number.", {
      check: (value, path) => (value === 13 ? [invalid(path, value, "brings bad luck")] : []),
    }),
    protocol: choice("Its protocol.", ["TCP", "UDP", "SCTP"]),
  },
  { required: ["number"] },
);
const schema = record(
  "A service.",
  {
    name: text("The name: of the service."),
    ports: list("Its ports.", port, {
      minItems: 1,
      check: (ports, path) =>
        ports.flatMap(({ number }, index) =>
          ports.findIndex((other) => other.number === number) < index
            ? [invalid(`${path}[${index}].number`, number, "is there already")]
            : [],
        ),
    }),
    labels: map("Its labels.", anyText("A value.")),
    timeout: duration("Its timeout."),
    size: either("Its size.", "must be a number or small", [
      int32("A number."),
      choice("A word.", ["small"]),
    ]),
    isOn: flag("Whether it runs."),
    affinity: apiType<NodeAffinity>("Where it runs.", "core.v1.NodeAffinity"),
    data: anything("Whatever."),
    host: text("A host."),
    url: text("A URL."),
  },
  { required: ["name"], ...exactlyOneOf(["host", "url"]) },
);

function problemsOf(value: unknown): readonly string[] {
  const read = readDocument(schema, value);
  return read.ok ? [] : read.errors.map(formatFieldError);
}

const valid = { name: "web", host: "a" };

test("a document is read as it is, without members that are null, and its type follows from the schema", () => {
  const document = {
    ...valid,
    ports: [{ number: 80, protocol: null }],
    labels: { app: "" },
    isOn: null,
    data: { kept: null },
  };
  const read = readDocument(schema, document);
  expect(read).toEqual({
    ok: true,
    value: { ...valid, ports: [{ number: 80 }], labels: { app: "" }, data: { kept: null } },
  });
  type Port = { readonly number: number } & { readonly protocol?: "TCP" | "UDP" | "SCTP" };
  expectTypeOf<DocumentOf<typeof port>>().toExtend<Port>();
  expectTypeOf<DocumentOf<typeof schema>["name"]>().toEqualTypeOf<string>();
  expectTypeOf<DocumentOf<typeof schema>["size"]>().toEqualTypeOf<number | "small" | undefined>();
});

describe("what is wrong is named with its path, what was expected and the nearest word", () => {
  test.for([
    [5, ": Invalid value: 5: must be an object"],
    [{}, "name: Required value: The name", ": Required value: needs one of host, url"],
    [{ ...valid, name: "" }, "name: Required value"],
    [{ ...valid, url: "b" }, "url: Forbidden: may not be there together with host"],
    [{ ...valid, Ports: [] }, 'Ports: Forbidden: unknown field; did you mean "ports"?'],
    [{ ...valid, constructor: 1 }, "constructor: Forbidden: unknown field; expected one of name, ports, "],
    [JSON.parse('{"name":"a","host":"a","__proto__":1}'), "__proto__: Forbidden: unknown field"],
    [{ name: "web", hots: "a" }, 'hots: Forbidden: unknown field; did you mean "host"?'],
    [{ ...valid, ports: [] }, "ports: Required value: needs at least one item"],
    [{ ...valid, ports: {} }, "ports: Invalid value: must be a list"],
    [
      { ...valid, ports: [{ number: 1, protocol: "TPC" }] },
      'ports[0].protocol: Unsupported value: "TPC": supported values: "TCP", "UDP", "SCTP"; did you mean "TCP"?',
    ],
    [
      { ...valid, ports: [{ number: 1.5 }] },
      "ports[0].number: Invalid value: 1.5: must be a whole number of 32",
    ],
    [{ ...valid, ports: [{ number: 13 }] }, "ports[0].number: Invalid value: 13: brings bad luck"],
    [
      { ...valid, ports: [{ number: "x" }, { number: 2 }, 3, { number: 2 }] },
      'ports[0].number: Invalid value: "x": must be a whole number',
      "ports[2]: Invalid value: 3: must be an object",
      "ports[3].number: Invalid value: 2: is there already",
    ],
    [{ ...valid, labels: { app: null, a: "" } }, "labels.app: Invalid value: must be a text"],
    [{ ...valid, timeout: "soon" }, 'timeout: Invalid value: "soon": must be a duration such as 90s'],
    [{ ...valid, size: true }, "size: Invalid value: true: must be a number or small"],
    [
      {
        ...valid,
        affinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: "1", prefrence: {} }] },
      },
      'affinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: "1": must be',
      'affinity.preferredDuringSchedulingIgnoredDuringExecution[0].prefrence: Forbidden: unknown field; did you mean "preference"?',
    ],
  ] as const)("%j: %s", ([value, ...want]) => {
    expect(problemsOf(value)).toEqual(want.map((problem) => expect.stringContaining(problem) as string));
  });
});

test("what is right can be validated although something is wrong; wrong items keep their index", () => {
  const { rest, errors } = readParts(schema, { name: 5, ports: [7, { number: 8 }], host: "a" });
  expect(rest).toEqual({ ports: [{}, { number: 8 }], host: "a" });
  expect(errors.map(({ field }) => field)).toEqual(["name", "ports[0]"]);
});

test("a JSON Schema has no words of ours, and the types of Kubernetes in full", () => {
  const { properties = {}, ...published } = toJsonSchema(schema);
  expect(published).toMatchObject({ type: "object", additionalProperties: false, required: ["name"] });
  expect(JSON.stringify(properties)).not.toMatch(/"(apiType|check)":/);
  expect(properties["affinity"]).toMatchObject({
    description: "Where it runs.",
    properties: { requiredDuringSchedulingIgnoredDuringExecution: { type: "object" } },
  });
});
