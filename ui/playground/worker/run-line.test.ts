import { expect, test } from "vitest";
import { wordsOf } from "./run-line.ts";

test.for([
  { line: "kubectl get pods", want: ["kubectl", "get", "pods"] },
  {
    line: "  k   get  pods -o=jsonpath='{.items[*].metadata.name}' ",
    want: ["k", "get", "pods", "-o=jsonpath={.items[*].metadata.name}"],
  },
  { line: String.raw`annotate pod a note="say \"hi\""`, want: ["annotate", "pod", "a", 'note=say "hi"'] },
  { line: String.raw`a\ b 'c d`, want: ["a b", "c d"] },
  { line: "", want: [] },
])("the words of $line", ({ line, want }) => {
  expect(wordsOf(line)).toEqual(want);
});
