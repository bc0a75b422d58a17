import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WallClock } from "../../../src/machinery/clock/wall-clock.ts";
import { applyText, checkText } from "./apply-text.ts";
import { PagePicker } from "./page-picker.ts";
import { PlaySession } from "./play-session.ts";

const signal = new AbortController().signal;
const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, kind: Widget }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [code]
              properties:
                code: { type: string, pattern: "^[a-z]+$" }
                size: { type: integer }
              x-kubernetes-validations: [{ rule: "self.code != 'bad'", message: it is bad }]
`;
const widget = (spec: string) => `apiVersion: example.com/v1
kind: Widget
metadata: { name: one }
spec: ${spec}
`;

const start = async () => {
  const scenario = readFileSync("ui/playground/scenarios/welcome.yaml", "utf8");
  const session = await PlaySession.start(
    { scenario, seed: 3, moments: [] },
    { wall: new WallClock(), picker: new PagePicker(() => undefined), changed: () => undefined },
  );
  await session.pace.change({ to: "pause" });
  return session;
};

describe("manifests of custom kinds", () => {
  let session: PlaySession;
  beforeAll(async () => {
    session = await start();
  });
  afterAll(() => session.end());

  test("a definition and its objects are applied together, while time stands still", async () => {
    const applied = await applyText(`${widget("{ code: ok }")}---\n${definition}`, session, signal);
    expect(applied.problems).toEqual([]);
    expect(applied.done).toEqual([
      "customresourcedefinition.apiextensions.k8s.io/widgets.example.com created",
      "widget.example.com/one created",
    ]);
    expect(session.scenario().missing).toEqual(["objects of custom kinds"]);
    const again = await applyText(widget("{ code: other, size: 3 }"), session, signal);
    expect(again).toEqual({ done: ["widget.example.com/one configured"], problems: [] });
  });

  test.for([
    {
      spec: "{ code: OK }",
      want: /^manifest:4:15: spec\.code: Invalid value: .*should match '\^\[a-z\]\+\$'$/,
    },
    { spec: "{ code: bad }", want: /^manifest:4:7: spec: Invalid value: it is bad$/ },
    { spec: "{ code: ok, sice: 1 }", want: /^manifest:4:25: spec\.sice: Forbidden: unknown field$/ },
    { spec: "{ code: ok, size: many }", want: /^manifest:4:25: spec\.size: Invalid value: .*integer/ },
    { spec: "{ code: ok }", want: undefined },
  ])("by the schema of its kind, $spec has the mistake $want", async ({ spec, want }) => {
    const { problems } = await checkText(widget(spec), session, signal);
    expect(problems).toEqual(want === undefined ? [] : [expect.stringMatching(want)]);
  });

  test("an object without a kind is a mistake, and one of a kind that nobody defines", async () => {
    const { problems } = await checkText(
      "metadata: { name: a }\n---\napiVersion: a/v1\nkind: Gadget\n",
      session,
      signal,
    );
    expect(problems).toEqual([
      "manifest:1:1: apiVersion: Required value",
      "manifest:1:1: kind: Required value",
      'manifest:4:7: kind: Not found: "Gadget"',
    ]);
  });
});
