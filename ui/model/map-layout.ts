/** How much of each node the map shows: its Pods by name, its Pods as cells, or the node as one cell. */
export const densities = ["names", "cells", "nodes"] as const;
export type Density = (typeof densities)[number];

/** What is to be drawn: the nodes of each zone, and the most Pods on one of them. */
export interface MapContent {
  readonly zones: readonly { readonly nodes: number; readonly mostPods: number }[];
}

/** The room for it, in CSS pixels. */
export interface MapRoom {
  readonly width: number;
  readonly height: number;
}

export interface MapLayout {
  readonly density: Density;
  /** How many zones stand side by side. */
  readonly columns: number;
  /** The side of a Pod's cell, or of a node's where nodes are cells. */
  readonly cell: number;
  /** How many names stand beside each other on a node. */
  readonly abreast: number;
}

/** The sizes of what is around the cells, as the style sheet has them. */
const gap = 5;
const zoneHead = 44;
const zoneGap = 16;
const tileFrame = { width: 12, height: 36 };
const narrowestZone = 300;

/** The heights of the lines of Pods with their names, and the sides of the cells of Pods and of nodes. */
const sizes = {
  names: [30, 26, 20],
  cells: [26, 22, 18, 14, 12, 10],
  nodes: [64, 56, 48, 40, 34, 28, 24, 20, 16],
} as const satisfies Record<Density, readonly number[]>;

/** The narrowest tile of a node: two names beside each other, or some cells. */
export function tileWidth({
  density,
  cell,
  abreast,
}: Pick<MapLayout, "density" | "cell" | "abreast">): number {
  if (density === "names") return 60 + abreast * (40 + 2 * cell);
  return cell > 14 ? 108 : 80;
}

/** Narrow windows are scrolled: there, so many screens are looked through rather than Pods left out. */
const phone = { width: 720, screens: 3 } as const;

/**
 * Finds the layout that shows the most and still fits: names before cells, large cells before small ones, and a cell for each
 * node at last. A density that was chosen is kept, as large as it fits.
 */
export function mapLayout(content: MapContent, room: MapRoom, chosen?: Density): MapLayout {
  const columns = columnsOf(content, room);
  const height = room.width < phone.width ? phone.screens * room.height : room.height;
  const fits = (layout: MapLayout) => heightOf(content, room, layout) <= height;
  const open = densities
    .filter((density) => chosen === undefined || density === chosen)
    .flatMap((density) =>
      (density === "names" ? [1, 2] : [1]).flatMap((abreast) =>
        sizes[density].map((cell) => ({ density, columns, cell, abreast })),
      ),
    );
  return open.find(fits) ?? open.at(-1) ?? { density: "nodes", columns, cell: 16, abreast: 1 };
}

/** Zones are compared best side by side, where there are few of them and each gets enough room. */
function columnsOf({ zones }: MapContent, { width }: MapRoom): number {
  const widest = Math.floor((width + zoneGap) / (narrowestZone + zoneGap));
  return zones.length > 1 && zones.length <= widest ? zones.length : 1;
}

function heightOf({ zones }: MapContent, { width }: MapRoom, layout: MapLayout): number {
  const { columns } = layout;
  const zoneWidth = (width - (columns - 1) * zoneGap) / columns;
  const heights = zones.map((zone) => zoneHead + nodesHeight(zone, zoneWidth, layout));
  return columns === 1 ? heights.reduce((sum, each) => sum + each, 0) : Math.max(0, ...heights);
}

function nodesHeight(
  { nodes, mostPods }: MapContent["zones"][number],
  width: number,
  layout: MapLayout,
): number {
  const { density, cell } = layout;
  if (density === "nodes") return Math.ceil(nodes / perRow(width, cell, 3)) * (cell + 3);
  const tiles = perRow(width, tileWidth(layout), gap);
  const inner = (width - (tiles - 1) * gap) / tiles - tileFrame.width;
  const abreast = density === "names" ? layout.abreast : perRow(inner, cell, 2);
  const lines = Math.max(1, Math.ceil(mostPods / abreast));
  return Math.ceil(nodes / tiles) * (tileFrame.height + lines * (cell + 2) + gap);
}

const perRow = (width: number, item: number, between: number) =>
  Math.max(1, Math.floor((width + between) / (item + between)));
