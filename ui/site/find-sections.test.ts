import { expect, test } from "vitest";
import { findSections, type Section } from "./find-sections.ts";

const sections: readonly Section[] = [
  ["Steering", "", "docs/steering.html", "What the webhook decides about a picker."],
  ["Pod pickers", "", "docs/pod-picker.html", "The contract."],
  ["Pod pickers", "TLS", "docs/pod-picker.html#tls", "Certificates of a picker out of Secrets."],
  ["Changelog", "", "CHANGELOG.html", "Pickers over TLS."],
];
const found = (query: string) => findSections(sections, query).map(({ section }) => section[2]);

test.for([
  {
    name: "a word of a title finds the beginning of the page first",
    query: "picker",
    want: ["docs/pod-picker.html", "docs/pod-picker.html#tls", "docs/steering.html", "CHANGELOG.html"],
  },
  { name: "all words have to be there", query: "picker secrets", want: ["docs/pod-picker.html#tls"] },
  { name: "the beginning of a word is enough", query: "certif", want: ["docs/pod-picker.html#tls"] },
  { name: "capitals do not matter", query: "tls", want: ["docs/pod-picker.html#tls", "CHANGELOG.html"] },
  { name: "what is nowhere is not found", query: "banana", want: [] },
  { name: "nothing finds nothing", query: "  ", want: [] },
])("$name", ({ query, want }) => {
  expect(found(query)).toEqual(want);
});

test("a result says where its first word is in the text", () => {
  expect(findSections(sections, "webhook")[0]?.at).toBe(9);
});
