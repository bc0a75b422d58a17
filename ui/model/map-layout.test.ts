import { expect, test } from "vitest";
import { mapLayout } from "./map-layout.ts";

const evenly = (nodes: number, mostPods: number, zones = 3) => ({
  zones: Array.from({ length: zones }, () => ({ nodes: Math.ceil(nodes / zones), mostPods })),
});
const desktop = { width: 1410, height: 640 };
const phone = { width: 370, height: 560 };

test.for([
  { name: "12 nodes", content: evenly(12, 6), room: desktop, density: "names", columns: 3 },
  { name: "100 nodes", content: evenly(100, 10), room: desktop, density: "cells", columns: 3 },
  { name: "500 nodes", content: evenly(500, 10), room: desktop, density: "nodes", columns: 3 },
  { name: "12 nodes on a phone", content: evenly(12, 6), room: phone, density: "names", columns: 1 },
  { name: "100 nodes on a phone", content: evenly(100, 10), room: phone, density: "nodes", columns: 1 },
  { name: "many zones", content: evenly(60, 10, 12), room: desktop, density: "nodes", columns: 1 },
])("$name are drawn as $density in $columns columns of zones", ({ content, room, density, columns }) => {
  expect(mapLayout(content, room)).toMatchObject({ density, columns });
});

test("cells shrink before Pods are left out, and 500 nodes fit the screen", () => {
  const cells = [30, 60, 100].map((nodes) => mapLayout(evenly(nodes, 10), desktop, "cells").cell);
  expect(cells).toEqual(cells.toSorted((a, b) => b - a));
  expect(mapLayout(evenly(500, 10), desktop).cell).toBeGreaterThanOrEqual(28);
});

test("a density that was chosen is kept where it does not fit", () => {
  expect(mapLayout(evenly(500, 10), phone, "names")).toMatchObject({ density: "names" });
});
