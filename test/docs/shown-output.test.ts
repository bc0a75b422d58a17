import { expect, test } from "vitest";
import { isAsShown } from "./shown-output.ts";

const shown = `ORDER   POD                    NODE     VERDICT
1       web-74fd449f5c-5jxbl   node-8   goes: …
…
6       web-74fd449f5c-x9p6b   node-1   stays`;

test.for([
  { printed: shown, matches: true, what: "the same text" },
  {
    what: "other names, another padding and other texts for …",
    printed: `ORDER   POD                   NODE      VERDICT
1       web-6ccd5f8fb-9kj9w   node-11   goes: idle
2       web-6ccd5f8fb-wvltf   node-12   goes: idle
3       web-6ccd5f8fb-srb4n   node-3    goes: idle
6       web-6ccd5f8fb-8shkl   node-10   stays

`,
    matches: true,
  },
  { what: "another word", printed: shown.replace("stays", "goes"), matches: false },
  { what: "a line more at the end", printed: `${shown}\n7`, matches: false },
  { what: "a line less", printed: shown.replace(/^ORDER.*\n/, ""), matches: false },
  { what: "another workload", printed: shown.replaceAll("web-", "db-"), matches: false },
])("$what: $matches", ({ printed, matches }) => {
  expect(isAsShown(shown, printed)).toBe(matches);
});
