import { describe, expect, test } from "vitest";
import {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  generateNameProblems,
  pathSegmentProblems,
  portNameProblems,
} from "./names.ts";

const checks = {
  label: dns1123LabelProblems,
  subdomain: dns1123SubdomainProblems,
  dns1035: dns1035LabelProblems,
  port: portNameProblems,
  segment: pathSegmentProblems,
};
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const dns1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

describe("names", () => {
  test.for([
    { check: "label", text: "a", want: [] },
    { check: "label", text: "1-a", want: [] },
    { check: "label", text: "a".repeat(63), want: [] },
    { check: "label", text: "a".repeat(64), want: ["must be no more than 63 characters"] },
    { check: "label", text: "a.b", want: ["must not contain dots"] },
    { check: "label", text: "", want: [label] },
    { check: "label", text: "-a", want: [label] },
    { check: "label", text: "A", want: [label] },
    { check: "label", text: "a\n", want: [label] },
    { check: "subdomain", text: "a.b-c.1", want: [] },
    { check: "subdomain", text: `${"a".repeat(251)}.b`, want: [] },
    { check: "subdomain", text: "a".repeat(254), want: ["must be no more than 253 characters"] },
    { check: "subdomain", text: "a..b", want: [subdomain] },
    { check: "subdomain", text: "a_b", want: [subdomain] },
    { check: "subdomain", text: "__proto__", want: [subdomain] },
    { check: "dns1035", text: "a1", want: [] },
    { check: "dns1035", text: "1a", want: [dns1035] },
    { check: "port", text: "http-2", want: [] },
    { check: "port", text: "80", want: ["must contain at least one letter (a-z)"] },
    { check: "port", text: "a--b", want: ["must not contain consecutive hyphens"] },
    { check: "port", text: "a-", want: ["must not begin or end with a hyphen"] },
    { check: "port", text: "abcdefghijklmnop", want: ["must be no more than 15 characters"] },
    { check: "segment", text: "system:node", want: [] },
    { check: "segment", text: "..", want: ["may not be '..'"] },
    { check: "segment", text: "a/b%", want: ["may not contain '/'", "may not contain '%'"] },
    {
      check: "port",
      text: "",
      want: [
        "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
        "must contain at least one letter (a-z)",
      ],
    },
  ] as const)("$check $text gets what Kubernetes says", ({ check, text, want }) => {
    expect(checks[check](text)).toEqual(want);
  });

  test.for([
    { prefix: "web-", want: [] },
    { prefix: "web", want: [] },
    { prefix: "-", want: [subdomain] },
    { prefix: "web--.", want: [subdomain] },
  ])("a generateName $prefix is judged as if something followed", ({ prefix, want }) => {
    expect(generateNameProblems(prefix, dns1123SubdomainProblems)).toEqual(want);
  });

  test("megabytes of almost a name are judged, not hung on", () => {
    expect(dns1123SubdomainProblems(`${"a-.".repeat(1_000_000)}!`)).toHaveLength(2);
    expect(dns1123SubdomainProblems("a.".repeat(1_500_000))).toHaveLength(2);
    expect(dns1123SubdomainProblems("a".repeat(3_000_000))).toHaveLength(1);
  });
});
