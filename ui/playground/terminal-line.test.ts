import { expect, test } from "vitest";
import { completed, copyable } from "./terminal-line.ts";

test.for([
  { line: "kubectl ge", words: ["get"], text: "kubectl get ", choices: [] },
  {
    line: "kubectl get de",
    words: ["deployments", "deployments2"],
    text: "kubectl get deployments",
    choices: [],
  },
  { line: "kubectl get pod", words: ["pod", "pods"], text: "kubectl get pod", choices: ["pod", "pods"] },
  { line: "kubectl get --out", words: ["--output="], text: "kubectl get --output=", choices: [] },
  { line: "kubectl get x", words: [], text: "kubectl get x", choices: [] },
])("Tab behind $line gives $text", ({ line, words, ...want }) => {
  expect(completed(line, { current: line.split(" ").at(-1) ?? "", words })).toEqual(want);
});

test.for([
  { line: "k get pods", want: "kubectl get pods" },
  { line: "kubectl apply -f manifest.yaml", want: "kubectl apply -f - <<'EOF'\na: 1\nEOF" },
  { line: "kubectl delete --filename=manifest.yaml", want: "kubectl delete --filename=- <<'EOF'\na: 1\nEOF" },
])("$line is copied for a shell", ({ line, want }) => {
  expect(copyable(line, "a: 1")).toBe(want);
});
