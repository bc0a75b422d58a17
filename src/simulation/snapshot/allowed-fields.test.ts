import { expect, test } from "vitest";
import { shapeOf } from "../../api/schema/shape.ts";
import { schemaTable } from "../../api/schema/table.ts";
import { collectionNames } from "../../decisions/explain/cluster-objects.ts";
import { allowedFields } from "./allowed-fields.ts";
import { schemaTypeOf } from "./snapshot.ts";

test.for(Object.entries(allowedFields))(
  "the schema has %s with every field on the list",
  ([type, fields]) => {
    const members = shapeOf(type)?.members.map(({ name }) => name) ?? [];
    expect(fields.filter((field) => !members.includes(field))).toEqual([]);
    expect(new Set(fields).size).toBe(fields.length);
  },
);

test("every type of an allowed field is on the list, and no other type is", () => {
  const reached = new Set<string>();
  const visit = (type: string) => {
    if (reached.has(type) || !schemaTable().types.has(type)) return;
    reached.add(type);
    const allowed = allowedFields[type] ?? [];
    for (const member of shapeOf(type)?.members ?? []) if (allowed.includes(member.name)) visit(member.type);
  };
  for (const name of collectionNames) visit(schemaTypeOf(name));
  expect([...reached].sort()).toEqual(Object.keys(allowedFields).sort());
});

test("no field is allowed that holds free text, commands, addresses or credentials", () => {
  const never = [
    "env",
    "envFrom",
    "args",
    "command",
    "message",
    "description",
    "managedFields",
    "finalizers",
  ];
  const others = [
    "httpHeaders",
    "path",
    "imagePullSecrets",
    "csi",
    "hostPath",
    "addresses",
    "podIP",
    "hostAliases",
  ];
  const allowed = Object.entries(allowedFields)
    .filter(([type]) => type !== "core.v1.NamespaceSpec") // its finalizers are those of Kubernetes
    .flatMap(([, fields]) => fields);
  expect(allowed.filter((field) => [...never, ...others].includes(field))).toEqual([]);
});
