import { describe, expect, test } from "vitest";
import { formatFieldError } from "../field-error.ts";
import { labelValueProblems, qualifiedNameProblems, validateLabels } from "./label-syntax.ts";

const characters =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const value =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

describe("a qualified name", () => {
  test.for([
    { text: "app", want: [] },
    { text: "A", want: [] },
    { text: "App_1.x-y", want: [] },
    { text: "example.com/app", want: [] },
    { text: `${"a".repeat(253)}/${"b".repeat(63)}`, want: [] },
    { text: "", want: ["name part must be non-empty", `name part ${characters}`] },
    { text: "a".repeat(64), want: ["name part must be no more than 63 bytes"] },
    { text: "-a", want: [`name part ${characters}`] },
    { text: "a b", want: [`name part ${characters}`] },
    { text: "__proto__", want: [`name part ${characters}`] },
    { text: "/a", want: ["prefix part must be non-empty"] },
    { text: "Example.com/a", want: [`prefix part ${subdomain}`] },
    { text: `${"a".repeat(254)}/b`, want: ["prefix part must be no more than 253 bytes"] },
    { text: "a/", want: ["name part must be non-empty", `name part ${characters}`] },
    {
      text: "a/b/c",
      want: [
        `a valid label key ${characters} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      ],
    },
  ])("$text gets what Kubernetes says", ({ text, want }) => {
    expect(qualifiedNameProblems(text)).toEqual(want);
  });
});

describe("a label value", () => {
  test.for([
    { text: "", want: [] },
    { text: "v1.2_3-x", want: [] },
    { text: "a".repeat(63), want: [] },
    { text: "a".repeat(64), want: ["must be no more than 63 bytes"] },
    { text: "a/b", want: [value] },
    { text: "a-", want: [value] },
    { text: "ä", want: [value] },
  ])("$text gets what Kubernetes says", ({ text, want }) => {
    expect(labelValueProblems(text)).toEqual(want);
  });
});

describe("validateLabels", () => {
  test.for([
    { name: "takes absent labels", labels: undefined, want: [] },
    { name: "takes null labels", labels: null, want: [] },
    { name: "takes good ones", labels: { app: "web", "example.com/x": "" }, want: [] },
    {
      name: "names key and value at the path of the set",
      labels: { "-a": "b-" },
      want: [
        `metadata.labels: Invalid value: "-a": name part ${characters}`,
        `metadata.labels: Invalid value: "b-": ${value}`,
      ],
    },
  ])("$name", ({ labels, want }) => {
    expect(validateLabels(labels, "metadata.labels").map(formatFieldError)).toEqual(want);
  });
});
