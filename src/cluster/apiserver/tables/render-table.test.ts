import { describe, expect, test } from "vitest";
import type { StoredObject } from "../../../api/object.ts";
import { qualifiedKind, type Resource } from "../../../api/resource.ts";
import { pods } from "../../../api/resources.ts";
import { schemaTable } from "../../../api/schema/table.ts";
import { parseTime } from "../../../api/time.ts";
import { tableFor } from "../kinds/kinds.ts";
import { renderTable } from "./render-table.ts";
import { tableCases } from "./tables.cases.ts";

const schemaOnly: ReadonlySet<string> = new Set([
  "ComponentStatus",
  "PersistentVolume",
  "PodTemplate",
  "RuntimeClass.node.k8s.io",
  "IngressClass.networking.k8s.io",
  "IPAddress.networking.k8s.io",
  "NetworkPolicy.networking.k8s.io",
  "ServiceCIDR.networking.k8s.io",
  "ClusterRoleBinding.rbac.authorization.k8s.io",
  "RoleBinding.rbac.authorization.k8s.io",
  "CSIDriver.storage.k8s.io",
  "CSINode.storage.k8s.io",
  "CSIStorageCapacity.storage.k8s.io",
  "StorageClass.storage.k8s.io",
  "VolumeAttachment.storage.k8s.io",
  "VolumeAttributesClass.storage.k8s.io",
]);
const now = parseTime("2026-01-01T12:00:00Z") ?? 0;
const metadata = {
  name: "it",
  namespace: "default",
  uid: "u",
  resourceVersion: "7",
  creationTimestamp: "2026-01-01T11:00:00Z",
};

const shown = (of: Pick<Resource, "group" | "version" | "kind">) => ({ ...of, table: tableFor(of) });

function stored(object: object): StoredObject {
  const given = (object as Partial<StoredObject>).metadata;
  return { ...object, metadata: { ...metadata, ...given } };
}

describe("tables", () => {
  test.for(tableCases)("show $name", ({ of, object, want }) => {
    const table = renderTable({ resource: shown(of), objects: [stored(object)], listMeta: {}, now });
    const expected = want.map((cell) => (cell === "AGE" ? "60m" : cell));
    expect(table.rows[0]?.cells).toEqual(["it", ...expected]);
    expect(table.columnDefinitions).toHaveLength(want.length + 1);
  });

  test.for([...new Set(tableCases.map(({ of }) => of))])("of $kind have a cell for every column", (of) => {
    const { columns } = tableFor(of);
    expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length);
    expect(columns.every(({ description }) => description.endsWith("."))).toBe(true);
  });

  // The schema alone says what objects of these kinds have: no field is required of them.
  const plain = schemaTable().kinds.filter((kind) => schemaOnly.has(qualifiedKind(kind)));
  test.for(plain)("of $kind show an object with nothing but a name", (of) => {
    const { rows, columnDefinitions } = renderTable({
      resource: shown(of),
      objects: [stored({})],
      listMeta: {},
      now,
    });
    expect(rows[0]?.cells).toHaveLength(columnDefinitions?.length ?? 0);
  });

  test("show the events of both shapes alike", () => {
    const about = { kind: "Pod", name: "web-1", fieldPath: "spec.containers{web}" };
    const common = { type: "Warning", reason: "Failed", eventTime: "2026-01-01T11:58:00.000000Z" };
    const core = stored({
      ...common,
      involvedObject: about,
      message: " no image \n",
      source: { component: "kubelet", host: "node-1" },
    });
    const newer = stored({
      ...common,
      regarding: about,
      note: " no image \n",
      reportingController: "kubelet",
      reportingInstance: "node-1",
    });
    const want = [
      "2m",
      "Warning",
      "Failed",
      "pod/web-1",
      "spec.containers{web}",
      "kubelet, node-1",
      "no image",
      "2m",
      1,
      "it",
    ];
    const cells = (group: string, object: StoredObject) =>
      tableFor({ group, version: "v1", kind: "Event" }).cells(object, now);
    expect(cells("", core)).toEqual(want);
    expect(cells("events.k8s.io", newer)).toEqual(want);
  });

  test("count repeated events from their series", () => {
    const event = stored({
      involvedObject: { kind: "Node" },
      firstTimestamp: "2026-01-01T11:00:00Z",
      lastTimestamp: "2026-01-01T11:30:00Z",
      count: 3,
      series: { count: 9, lastObservedTime: "2026-01-01T11:59:50.000000Z" },
    });
    const cells = tableFor({ group: "", version: "v1", kind: "Event" }).cells(event, now);
    expect(cells).toEqual(["10s", "", "", "node", "", "", "", "60m", 9, "it"]);
  });

  test("carry the list's metadata and, unless asked otherwise, each object's", () => {
    const object = stored({ spec: { containers: [] }, status: { phase: "Failed" } });
    const listMeta = { resourceVersion: "12", continue: "next", remainingItemCount: 4 };
    const table = renderTable({ resource: shown(pods), objects: [object], listMeta, now });
    expect(table).toMatchObject({ kind: "Table", apiVersion: "meta.k8s.io/v1", metadata: listMeta });
    expect(table.rows[0]).toMatchObject({
      conditions: [{ type: "Completed", status: "True", reason: "Failed" }],
      object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata },
    });
  });

  test.for([
    { includeObject: "None" as const, want: null },
    {
      includeObject: "Object" as const,
      want: { kind: "Pod", apiVersion: "v1", metadata, spec: { containers: [] } },
    },
    {
      includeObject: "Metadata" as const,
      want: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1beta1", metadata },
    },
  ])("carry what includeObject=$includeObject asks for", ({ includeObject, want }) => {
    const objects = [stored({ spec: { containers: [] } })];
    const table = renderTable({
      resource: shown(pods),
      objects,
      listMeta: {},
      includeObject,
      version: "v1beta1",
      now,
    });
    expect(table.rows[0]?.object).toEqual(want);
  });

  test("leave out the columns a watcher already has", () => {
    const table = renderTable({
      resource: shown(pods),
      objects: [],
      listMeta: {},
      withoutColumns: true,
      now,
    });
    expect(table).toMatchObject({ columnDefinitions: null, rows: [] });
  });
});
