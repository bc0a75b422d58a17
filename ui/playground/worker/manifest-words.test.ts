import { expect, test } from "vitest";
import type { CustomResourceDefinition } from "../../../src/api/generated/apiextensions-v1.ts";
import { manifestWords } from "./manifest-words.ts";

const deployment = "apiVersion: apps/v1\nkind: Deployment\n";
const container = `${deployment}spec:\n  template:\n    spec:\n      containers:\n`;

test.for([
  { name: "the first keys", text: "", want: ["apiVersion", "kind"] },
  { name: "a kind", text: "kind: DaemonS", want: ["DaemonSet"] },
  { name: "a kind of a version", text: "apiVersion: policy/v1\nkind: ", want: ["PodDisruptionBudget"] },
  { name: "the version of a kind", text: "kind: Deployment\napiVersion: ", want: ["apps/v1"] },
  { name: "a field of ours", text: `${deployment}spec:\n  podRep`, want: ["podReplacementPolicy"] },
  {
    name: "its values",
    text: `${deployment}spec:\n  podReplacementPolicy: `,
    want: ["TerminationComplete", "TerminationStarted"],
  },
  {
    name: "a field of an element",
    text: `${container}        - name: a\n          imageP`,
    want: ["imagePullPolicy"],
  },
  { name: "the first field of one", text: `${container}        - imageP`, want: ["imagePullPolicy"] },
  {
    name: "of one whose dash is below its key",
    text: `${container}      - name: a\n        imageP`,
    want: ["imagePullPolicy"],
  },
  { name: "behind a list", text: `${container}        - name: a\n      nodeSel`, want: ["nodeSelector"] },
  { name: "in braces", text: `${deployment}spec:\n  selector: { matchL`, want: ["matchLabels"] },
  {
    name: "in braces of brackets",
    text: `${container.slice(0, -1)} [{ name: "a{", imageP`,
    want: ["imagePullPolicy"],
  },
  { name: "behind braces", text: `${deployment}spec: { selector: {}, repl`, want: ["replicas"] },
  {
    name: "what begins otherwise",
    text: `${deployment}spec:\n  template:\n    spec:\n      Grace`,
    want: ["terminationGracePeriodSeconds"],
  },
  { name: "a truth value", text: `${deployment}spec:\n  paused: t`, want: ["true"] },
  {
    name: "the second document",
    text: `${deployment}---\napiVersion: v1\nkind: Pod\nspec:\n  nodeN`,
    want: ["nodeName"],
  },
  { name: "nothing in a map", text: `${deployment}metadata:\n  labels:\n    a`, want: [] },
  { name: "nothing of an unknown kind", text: "kind: Deploymint\nspec:\n  re", want: [] },
  { name: "nothing below a number", text: `${deployment}spec:\n  replicas: 3\n    a`, want: [] },
])("$name", ({ text, want }) => {
  expect(manifestWords(text, text.length).words.map(({ word }) => word)).toEqual(want);
});

const widgets = {
  metadata: { name: "widgets.example.com", uid: "u", resourceVersion: "1" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                required: ["colour"],
                properties: {
                  colour: { type: "string", enum: ["red", "blue"] },
                  parts: {
                    type: "array",
                    items: { type: "object", properties: { weight: { type: "integer" } } },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
} satisfies CustomResourceDefinition;
const widget = "apiVersion: example.com/v1\nkind: Widget\n";

test.for([
  { name: "a custom kind", text: "kind: Widg", want: ["Widget"] },
  { name: "its version", text: "kind: Widget\napiVersion: ", want: ["example.com/v1"] },
  { name: "its first keys", text: widget, want: ["apiVersion", "kind", "metadata", "spec"] },
  { name: "its metadata", text: `${widget}metadata:\n  generateN`, want: ["generateName"] },
  { name: "its fields", text: `${widget}spec:\n  `, want: ["colour", "parts"] },
  { name: "its values", text: `${widget}spec:\n  colour: `, want: ["red", "blue"] },
  { name: "fields of its lists", text: `${widget}spec:\n  parts:\n    - we`, want: ["weight"] },
])("by its definition, $name", ({ text, want }) => {
  expect(manifestWords(text, text.length, [widgets]).words.map(({ word }) => word)).toEqual(want);
});

test("what is behind the place is looked at for the kind only", () => {
  const text = `spec:\n  repl\n${deployment}---\nkind: Pod\n`;
  const at = text.indexOf("repl") + 4;
  expect(manifestWords(text, at)).toEqual({
    from: at - 4,
    words: [{ word: "replicas", insert: "replicas: ", detail: "int32" }],
  });
});
