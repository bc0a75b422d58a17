import { expect, test } from "vitest";
import { takeClusterWords } from "./cluster-words.ts";

test.for([
  { line: "get pods -n a", words: "get pods -n a", flags: {} },
  { line: "--name one get pods", words: "get pods", flags: { name: "one" } },
  {
    line: "get pods --kubeconfig=a --context b",
    words: "get pods",
    flags: { kubeconfig: "a", context: "b" },
  },
  { line: "run a -- x --name b", words: "run a -- x --name b", flags: {} },
])("$line is $words for kubectl", ({ line, words, flags }) => {
  expect(takeClusterWords(line.split(" "))).toEqual({ words: words.split(" "), flags });
});
