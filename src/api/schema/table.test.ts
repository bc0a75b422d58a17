import { describe, expect, test } from "vitest";
import { shapeOf, valueOf } from "./shape.ts";
import { bodyType, kindByName, kindByPlural, schemaTable } from "./table.ts";

describe("the schema table", () => {
  test("is parsed once", () => {
    expect(schemaTable()).toBe(schemaTable());
    expect(schemaTable().kubernetes).toBe("1.36");
  });

  test.for([
    { group: "", version: "v1", plural: "pods", want: "core.v1.Pod" },
    { group: "apps", version: "v1", plural: "deployments", want: "apps.v1.Deployment" },
    {
      group: "autoscaling",
      version: "v2",
      plural: "horizontalpodautoscalers",
      want: "autoscaling.v2.HorizontalPodAutoscaler",
    },
    { group: "apps", version: "v2", plural: "deployments", want: undefined },
    { group: "apps", version: "v1", plural: "constructor", want: undefined },
  ])("finds $plural of $group/$version", ({ group, version, plural, want }) => {
    expect(kindByPlural(group, version, plural)?.type).toBe(want);
  });

  test.for([
    { apiVersion: "v1", kind: "Pod", plural: "pods", body: "core.v1.Pod" },
    { apiVersion: "apps/v1", kind: "ReplicaSet", plural: "replicasets", body: "apps.v1.ReplicaSet" },
    { apiVersion: "v1", kind: "PodList", plural: undefined, body: "core.v1.PodList" },
    { apiVersion: "autoscaling/v1", kind: "Scale", plural: undefined, body: "autoscaling.v1.Scale" },
    { apiVersion: "apps/v1", kind: "DeleteOptions", plural: undefined, body: "meta.v1.DeleteOptions" },
    { apiVersion: "apps/v1", kind: "Pod", plural: undefined, body: undefined },
    { apiVersion: "", kind: "Pod", plural: undefined, body: undefined },
    { apiVersion: "v1", kind: "__proto__", plural: undefined, body: undefined },
  ])("knows $apiVersion $kind", ({ apiVersion, kind, plural, body }) => {
    expect(kindByName(apiVersion, kind)?.plural).toBe(plural);
    expect(bodyType(apiVersion, kind)).toBe(body);
  });

  test("carries our fields beside Kubernetes' own", () => {
    const fields = schemaTable().types.get("apps.v1.DeploymentSpec")?.fields;
    expect(fields?.["podReplacementPolicy"]).toMatchObject({ ours: true, wire: 10 });
    expect(fields?.["replicas"]?.ours).toBeUndefined();
  });

  test("refers only to types it has", () => {
    const { types, scalars, objects, kinds } = schemaTable();
    const plain = new Set(["string", "bool", "int32", "int64", "double", "bytes"]);
    const known = (type: string) => plain.has(type) || scalars.has(type) || types.has(type);
    const fields = [...types.values()].flatMap((facts) => Object.values(facts.fields));
    expect(fields.map((facts) => valueOf(facts).type).filter((type) => !known(type))).toEqual([]);
    expect(
      [...objects.values(), ...kinds.map((kind) => kind.type)].filter((type) => !types.has(type)),
    ).toEqual([]);
  });

  test("has a kind for every body of a subresource", () => {
    const { kinds, objects } = schemaTable();
    const bodies = kinds.flatMap((kind) => kind.subresources ?? []).map((subresource) => subresource.kind);
    expect(bodies.filter((body) => !objects.has(body))).toEqual([]);
  });
});

describe("a shape", () => {
  test("has inlined members in its own place, and their wire numbers behind the inlined message", () => {
    const volume = shapeOf("core.v1.Volume");
    expect(volume?.members.slice(0, 3).map((member) => member.name)).toEqual([
      "name",
      "hostPath",
      "emptyDir",
    ]);
    expect(volume?.byWire.get(2)?.kind).toBe("inlined");
    expect(volume?.byName.has("volumeSource")).toBe(false);
  });

  test("is made once, and only of what the table has", () => {
    expect(shapeOf("core.v1.Pod")).toBe(shapeOf("core.v1.Pod"));
    expect([shapeOf("string"), shapeOf("__proto__"), shapeOf("core.v1.Nope")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("has no member name twice", () => {
    const shapes = [...schemaTable().types.keys()].map(shapeOf);
    const doubled = shapes.filter((shape) => shape?.byName.size !== shape?.members.length);
    expect(doubled).toEqual([]);
  });
});
