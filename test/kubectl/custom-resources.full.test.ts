import { expect, test } from "vitest";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import { output } from "./printed.ts";

const text = { type: "string" };
const integer = { type: "integer" };

const definition = JSON.stringify({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget", shortNames: ["wd"], categories: ["all"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
        additionalPrinterColumns: [
          { name: "Size", type: "integer", jsonPath: ".spec.size" },
          { name: "Colour", type: "string", jsonPath: ".spec.colour", priority: 1 },
        ],
        selectableFields: [{ jsonPath: ".spec.colour" }],
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                required: ["size"],
                properties: {
                  size: { ...integer, maximum: 10, description: "How big it is." },
                  replicas: { ...integer, default: 1 },
                  colour: { ...text, default: "red", enum: ["red", "green"] },
                },
              },
              status: { type: "object", properties: { replicas: integer } },
            },
          },
        },
      },
    ],
  },
});

const widget = (name: string, spec: object) =>
  JSON.stringify({ apiVersion: "example.com/v1", kind: "Widget", metadata: { name }, spec });

describeWithKubectl(({ openNamespace }) => {
  test("a person brings a kind, uses its objects, and takes it away", { timeout: 180_000 }, async () => {
    const shell = await openNamespace("widgets");
    await output(shell, "apply -f -", definition);
    await output(shell, "wait --for=condition=established crd/widgets.example.com --timeout=30s");
    expect(await output(shell, "apply -f -", widget("a", { size: 3 }))).toBe(
      "widget.example.com/a created\n",
    );
    expect(await output(shell, "get wd")).toMatch(/^NAME +SIZE\na +3\n$/);
    expect(await output(shell, "get wd -o wide")).toMatch(/^NAME +SIZE +COLOUR\na +3 +red\n$/);
    expect(await output(shell, "get all")).toContain("widget.example.com/a");
    expect(await output(shell, "explain widget.spec.size")).toContain("How big it is.");
    expect(await output(shell, "scale widget/a --replicas=4")).toBe("widget.example.com/a scaled\n");
    expect(await output(shell, "get widget a -o jsonpath={.spec.replicas}")).toBe("4");
    expect(await output(shell, "apply -f -", widget("a", { size: 4 }))).toBe(
      "widget.example.com/a configured\n",
    );
    expect(await output(shell, "get widget a -o jsonpath={.spec}")).toBe(
      '{"colour":"red","replicas":4,"size":4}',
    );
    expect(await output(shell, "get wd -o name --field-selector spec.colour=red")).toBe(
      "widget.example.com/a\n",
    );

    const unknown = await shell.run("apply -f -", { input: widget("b", { size: 1, shape: "round" }) });
    expect(unknown.err).toContain('unknown field "spec.shape"');
    const large = await shell.run(`patch widget a --type=merge -p '{"spec":{"size":11}}'`);
    expect(large.err).toContain("spec.size in body should be less than or equal to 10");
    const strategic = await shell.run(`patch widget a -p '{"spec":{"size":1}}'`);
    expect(strategic.err).toContain(
      "application/strategic-merge-patch+json is not supported by example.com/v1",
    );

    await output(shell, "delete crd widgets.example.com");
    const gone = await shell.run("get widgets");
    expect(gone.err).toContain("Error from server (NotFound)");
  });
});
