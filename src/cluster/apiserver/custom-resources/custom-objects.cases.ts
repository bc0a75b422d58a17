import type { Json, JsonObject } from "../../../api/json.ts";
import type { FooVersion } from "./foo-definition.contract.ts";

/** An object whose spec the schema refuses, with the errors that the answer names. */
export interface InvalidCase {
  readonly name: string;
  readonly schema: FooVersion;
  readonly spec?: JsonObject;
  readonly errors: readonly string[];
  /** The reason of the first cause. */
  readonly reason?: string;
}

const integer = { type: "integer" };
const text = { type: "string" };
const none: JsonObject = {};
const ruled = (rule: string, more: JsonObject = {}): JsonObject => ({
  "x-kubernetes-validations": [{ rule, ...more }],
});
const inBody = (field: string, rest: string) => `${field} in body ${rest}`;

function bounded(name: string, schema: JsonObject, [value, error]: readonly [Json, string]): InvalidCase {
  return { name, schema: { spec: { v: schema } }, spec: { v: value }, errors: [error] };
}

export const invalidCases: readonly InvalidCase[] = [
  {
    name: "a text for an integer",
    schema: { spec: { n: integer } },
    spec: { n: "a" },
    errors: [`spec.n: Invalid value: "string": ${inBody("spec.n", 'must be of type integer: "string"')}`],
    reason: "FieldValueTypeInvalid",
  },
  {
    name: "a fraction for an integer",
    schema: { spec: { n: integer } },
    spec: { n: 1.5 },
    errors: [
      `spec.n: Invalid value: "number": ${inBody("spec.n", 'must be of type integer: "number"')}`,
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.n',
    ],
  },
  {
    name: "a required field that is absent",
    schema: { spec: { n: integer }, ofSpec: { required: ["n"] } },
    spec: none,
    errors: ["spec.n: Required value"],
  },
  {
    name: "a required field that is null",
    schema: { spec: { n: integer }, ofSpec: { required: ["n"] } },
    spec: { n: null },
    errors: ["spec.n: Required value"],
  },
  bounded("a value outside of an enum", { ...text, enum: ["A", "B"] }, [
    "C",
    'spec.v: Unsupported value: "C": supported values: "A", "B"',
  ]),
  bounded("a long text", { ...text, maxLength: 5 }, [
    "äöüäöü",
    "spec.v: Too long: may not be more than 5 bytes",
  ]),
  bounded("a short text", { ...text, minLength: 1 }, [
    "",
    'spec.v: Invalid value: "": spec.v in body should be at least 1 chars long',
  ]),
  bounded("a text without the pattern", { ...text, pattern: "^[a-z]+$" }, [
    "A",
    "spec.v: Invalid value: \"A\": spec.v in body should match '^[a-z]+$'",
  ]),
  bounded("a text without the format", { ...text, format: "date-time" }, [
    "x",
    'spec.v: Invalid value: "x": spec.v in body must be of type date-time: "x"',
  ]),
  bounded("a number above the maximum", { ...integer, maximum: 10 }, [
    11,
    "spec.v: Invalid value: 11: spec.v in body should be less than or equal to 10",
  ]),
  bounded("a number at an exclusive minimum", { ...integer, minimum: 0, exclusiveMinimum: true }, [
    0,
    "spec.v: Invalid value: 0: spec.v in body should be greater than 0",
  ]),
  bounded("a number beyond int32", { ...integer, format: "int32" }, [
    3_000_000_000,
    '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.v',
  ]),
  bounded("a boolean for an int32", { ...integer, format: "int32" }, [
    true,
    'spec.v: Invalid value: "": spec.v in body must be of type int32: ""',
  ]),
  bounded("a number that is no multiple", { ...integer, multipleOf: 5 }, [
    7,
    "spec.v: Invalid value: 7: spec.v in body should be a multiple of 5",
  ]),
  bounded("many items", { type: "array", items: text, maxItems: 2 }, [
    ["a", "b", "c"],
    "spec.v: Too many: 3: must have at most 2 items",
  ]),
  bounded("few items", { type: "array", items: text, minItems: 1 }, [
    [],
    "spec.v: Invalid value: 0: spec.v in body should have at least 1 items",
  ]),
  bounded("few properties", { type: "object", additionalProperties: text, minProperties: 1 }, [
    {},
    "spec.v: Invalid value: 0: spec.v in body should have at least 1 properties",
  ]),
  bounded("an item twice in a set", { type: "array", items: text, "x-kubernetes-list-type": "set" }, [
    ["a", "b", "a"],
    'spec.v[2]: Duplicate value: "a"',
  ]),
  bounded(
    "a key twice in a list map",
    {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { type: "object", required: ["name"], properties: { name: text } },
    },
    [[{ name: "a" }, { name: "a" }], 'spec.v[1]: Duplicate value: {"name":"a"}'],
  ),
  {
    name: "an item of a list map that is no object",
    schema: {
      spec: {
        v: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: { type: "object", required: ["name"], properties: { name: text } },
        },
      },
    },
    spec: { v: ["a"] },
    errors: [
      `spec.v[0]: Invalid value: "string": ${inBody("spec.v[0]", 'must be of type object: "string"')}`,
      'spec.v[0]: Invalid value: "a": must be an object for an array of list-type map',
    ],
  },
  {
    name: "neither branch of oneOf",
    schema: { spec: { a: text, b: text }, ofSpec: { oneOf: [{ required: ["a"] }, { required: ["b"] }] } },
    spec: { a: "x", b: "y" },
    errors: [
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
  },
  {
    name: "a forbidden combination",
    schema: { spec: { a: text }, ofSpec: { not: { required: ["a"] } } },
    spec: { a: "x" },
    errors: ['<nil>: Invalid value: "": "spec" must not validate the schema (not)'],
  },
  {
    name: "a text with a line end behind what the pattern ends with",
    schema: { spec: { v: { ...text, pattern: "^a$" } } },
    spec: { v: "a\n" },
    errors: ["spec.v: Invalid value: \"a\\n\": spec.v in body should match '^a$'"],
  },
  {
    name: "negative replicas",
    schema: {
      spec: { replicas: integer },
      version: {
        subresources: {
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
      },
    },
    spec: { replicas: -1 },
    errors: [".spec.replicas: Invalid value: -1: should be a non-negative integer"],
  },
  {
    name: "an embedded object without kind and version",
    schema: {
      spec: {
        e: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
      },
    },
    spec: { e: { metadata: { name: "p" } } },
    errors: [
      "spec.e.apiVersion: Required value: must not be empty",
      "spec.e.kind: Required value: must not be empty",
    ],
  },
];

/** A definition that is refused, with the error that the answer names. */
export interface InvalidDefinition {
  readonly name: string;
  readonly versions?: readonly FooVersion[];
  readonly spec?: JsonObject;
  readonly metadata?: JsonObject;
  readonly error: string;
}

const inSpec = "spec.validation.openAPIV3Schema.properties[spec]";

export const invalidDefinitions: readonly InvalidDefinition[] = [
  {
    name: "its name is not that of its resource and group",
    metadata: { name: "foo.example.com" },
    error: 'metadata.name: Invalid value: "foo.example.com": must be spec.names.plural+"."+spec.group',
  },
  {
    name: "a list has no items",
    versions: [{ spec: { l: { type: "array" } } }],
    error: `${inSpec}.properties[l].items: Required value: must be specified`,
  },
  {
    name: "the second of two versions is wrong",
    versions: [{}, { spec: { l: { type: "array" } } }],
    error:
      "spec.versions[1].schema.openAPIV3Schema.properties[spec].properties[l].items: Required value: must be specified",
  },
  {
    name: "two versions are stored",
    versions: [{}, { version: { storage: true } }],
    error: "must have exactly one version marked as storage version",
  },
  {
    name: "no version has a schema",
    versions: [{ version: { schema: {} } }],
    error: "spec.versions[0].schema.openAPIV3Schema: Required value",
  },
  {
    name: "a branch has a type",
    versions: [{ spec: { v: { type: "string", oneOf: [{ type: "string" }] } } }],
    error: `${inSpec}.properties[v].oneOf[0].type: Forbidden: must be empty to be structural`,
  },
  {
    name: "a default has another type",
    versions: [{ spec: { n: { ...integer, default: "a" } } }],
    error: `${inSpec}.properties[n].default: Invalid value: "string":  in body must be of type integer: "string"`,
  },
  {
    name: "a default breaks a rule",
    versions: [{ spec: { n: { ...integer, default: 3, ...ruled("self < 3") } } }],
    error: `${inSpec}.properties[n].default: Invalid value: 3: failed rule: self < 3`,
  },
  {
    name: "a part of a default breaks a rule",
    versions: [
      {
        spec: {
          o: { type: "object", default: { n: 3 }, properties: { n: { ...integer, ...ruled("self < 3") } } },
        },
      },
    ],
    error: `${inSpec}.properties[o].default.n: Invalid value: 3: failed rule: self < 3`,
  },
  {
    name: "a default breaks a rule about new values",
    versions: [
      { spec: { n: { ...integer, default: 3, ...ruled("oldSelf.hasValue()", { optionalOldSelf: true }) } } },
    ],
    error: `${inSpec}.properties[n].default: Invalid value: 3: failed rule: oldSelf.hasValue()`,
  },
  {
    name: "the rule of a default does not compile",
    versions: [{ spec: { n: { ...integer, default: 3, ...ruled("self.a") } } }],
    error: `${inSpec}.properties[n].default: Invalid value: "integer": rule compile error: compilation failed: ERROR: <input>:1:5: type 'int' does not support field selection\n | self.a\n | ....^`,
  },
  {
    name: "the root has an enum beside a status",
    versions: [{ root: { minProperties: 1 } }],
    error: "fields are allowed at the root of the schema if the status subresource is enabled",
  },
  {
    name: "its group is protected",
    metadata: { name: "foos.a.k8s.io" },
    spec: { group: "a.k8s.io" },
    error:
      "metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation",
  },
  {
    name: "its scope is unknown",
    spec: { scope: "World" },
    error: 'spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"',
  },
  {
    name: "its group has no dot",
    metadata: { name: "foos.example" },
    spec: { group: "example" },
    error: 'spec.group: Invalid value: "example": should be a domain with at least one dot',
  },
  {
    name: "kind and list kind are the same",
    spec: { names: { plural: "foos", kind: "Foo", listKind: "Foo" } },
    error: 'spec.names.listKind: Invalid value: "Foo": kind and listKind may not be the same',
  },
  {
    name: "a warning has no deprecation",
    versions: [{ version: { deprecationWarning: "old" } }],
    error:
      'spec.versions[0].deprecationWarning: Invalid value: "old": can only be set for deprecated versions',
  },
  {
    name: "replicas are read from elsewhere",
    versions: [
      { version: { subresources: { scale: { specReplicasPath: ".x.n", statusReplicasPath: ".status.n" } } } },
    ],
    error:
      'spec.subresources.scale.specReplicasPath: Invalid value: ".x.n": should be a json path under .spec',
  },
  {
    name: "a column has an unknown type",
    versions: [{ version: { additionalPrinterColumns: [{ name: "A", type: "text", jsonPath: ".spec.a" }] } }],
    error:
      'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
  },
  {
    name: "a selectable field does not exist",
    versions: [{ version: { selectableFields: [{ jsonPath: ".spec.x" }] } }],
    error:
      'spec.selectableFields[0].jsonPath: Invalid value: ".spec.x": is an invalid path: does not refer to a valid field',
  },
  {
    name: "a selectable field is a list",
    versions: [
      {
        spec: { l: { type: "array", items: text } },
        version: { selectableFields: [{ jsonPath: ".spec.l" }] },
      },
    ],
    error: "must point to a field of type string, boolean or integer.",
  },
  {
    name: "its webhook has no client",
    spec: { conversion: { strategy: "Webhook" } },
    error: "spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook",
  },
  {
    name: "it has a webhook and no need for it",
    spec: {
      conversion: {
        strategy: "None",
        webhook: { clientConfig: { url: "https://a.b/c" }, conversionReviewVersions: ["v1"] },
      },
    },
    error:
      "spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook",
  },
  {
    name: "it preserves unknown fields",
    spec: { preserveUnknownFields: true },
    error: "spec.preserveUnknownFields: Invalid value: true: cannot set to true",
  },
  {
    name: "a pattern is none",
    versions: [{ spec: { v: { ...text, pattern: "(?=a)" } } }],
    error:
      "must be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax",
  },
];
