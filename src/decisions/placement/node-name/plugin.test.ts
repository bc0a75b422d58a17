import { expect, test } from "vitest";
import { node } from "../../../testing/node.ts";
import { verdictsOf } from "../plugin-fixture.cases.ts";
import { nodeName } from "./plugin.ts";

const refused = "UAU: node(s) didn't match the requested node name";

test.for([
  { name: "takes any node for a Pod that names none", spec: {}, want: { a: "fits", b: "fits" } },
  { name: "takes only the node a Pod names", spec: { nodeName: "b" }, want: { a: refused, b: "fits" } },
  { name: "refuses all when it is not there", spec: { nodeName: "c" }, want: { a: refused, b: refused } },
])("NodeName $name", ({ spec, want }) => {
  expect(verdictsOf(nodeName, { spec }, { nodes: [node("a"), node("b")] })).toEqual(want);
});
