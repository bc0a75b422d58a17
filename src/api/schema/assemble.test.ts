import { expect, test } from "vitest";
import type { Json } from "../json.ts";
import { assemble, zeroOf } from "./assemble.ts";
import { shapeOf } from "./shape.ts";

function assembled(type: string, values: Readonly<Record<string, Json>>): string {
  const shape = shapeOf(type);
  if (shape === undefined) throw new Error(`no type ${type}`);
  return JSON.stringify(
    assemble(
      shape,
      shape.members.map((member) => values[member.name]),
    ),
  );
}

test.for([
  {
    name: "drops zeros that mean absent",
    type: "apps.v1.DeploymentSpec",
    values: { minReadySeconds: 0, paused: false },
    want: '{"template":{"metadata":{},"spec":{"containers":[]}},"strategy":{}}',
  },
  {
    name: "keeps zeros that do not, and puts members into their order",
    type: "apps.v1.DeploymentSpec",
    values: { strategy: { type: "Recreate" }, template: {}, selector: {}, replicas: 0 },
    want: '{"replicas":0,"selector":{},"template":{},"strategy":{"type":"Recreate"}}',
  },
  {
    name: "fills in what is always written",
    type: "core.v1.Container",
    values: { command: [], env: [] },
    want: '{"name":"","resources":{}}',
  },
  {
    name: "knows empty maps from empty objects",
    type: "core.v1.PodSpec",
    values: { containers: [], nodeSelector: {}, securityContext: {} },
    want: '{"containers":[],"securityContext":{}}',
  },
  {
    name: "writes null times not at all",
    type: "core.v1.PodCondition",
    values: { type: "Ready" },
    want: '{"type":"Ready","status":""}',
  },
  {
    name: "writes an empty target port as the number 0",
    type: "core.v1.ServicePort",
    values: { port: 80 },
    want: '{"port":80,"targetPort":0}',
  },
  {
    name: "writes an empty divisor as a quantity",
    type: "core.v1.ResourceFieldSelector",
    values: { resource: "limits.cpu" },
    want: '{"resource":"limits.cpu","divisor":"0"}',
  },
])("assemble $name", ({ type, values, want }) => {
  expect(assembled(type, values)).toBe(want);
});

test("values that are filled in are shared, and frozen", () => {
  const filled = zeroOf("core.v1.PodTemplateSpec");
  expect(filled).toBe(zeroOf("core.v1.PodTemplateSpec"));
  expect(Object.isFrozen(filled)).toBe(true);
});

test.for([
  { type: "string", want: "" },
  { type: "bool", want: false },
  { type: "int64", want: 0 },
  { type: "Quantity", want: "0" },
  { type: "IntOrString", want: 0 },
  { type: "Time", want: undefined },
  { type: "RawExtension", want: undefined },
  { type: "meta.v1.ObjectMeta", want: {} },
])("the zero of $type is $want", ({ type, want }) => {
  expect(zeroOf(type)).toEqual(want);
});
