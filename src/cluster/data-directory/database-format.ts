// The file format of LMDB 1.0 on 64-bit little-endian machines, as far as a check of its structure needs it. A file
// consists of pages. Two of them describe the trees of the newest and of the previous state; a tree has branch pages with
// the numbers of others and leaf pages with keys and values. A large value has overflow pages of its own.

/** A tree of a database. */
export interface Tree {
  readonly depth: number;
  readonly entries: number;
  /** Absent in an empty tree. */
  readonly root: number | undefined;
  /** Whether keys are ordered by their bytes; keys of free pages are numbers, in numeric order. */
  readonly isOrderedByBytes: boolean;
}

/** A page that belongs to a tree. */
export interface DatabasePage {
  readonly number: number;
  readonly kind: "branch" | "leaf" | "overflow";
  /** How many pages an overflow page stands for. */
  readonly pages: number;
  readonly bytes: Buffer;
}

/** A key and its value; a large value is stored in overflow pages. */
export interface Leaf {
  readonly overflow: { readonly number: number; readonly bytes: number } | undefined;
}

const magic = 0xbeefc0de;
const formatVersion = 2;
const headerSize = 24;
const nodeHeaderSize = 8;
const treeSize = 48;
const firstTree = headerSize + 24;
const noPage = 0xffffffffffffffffn;
const overflowReferenceSize = 24;
const isLargeValue = 1;
const hasNumberKeys = 8;
const kinds: ReadonlyMap<number, DatabasePage["kind"]> = new Map([
  [1, "branch"],
  [2, "leaf"],
  [4, "overflow"],
]);

/** Returns the content of a meta page; `undefined` for any other page. */
export function metaOf(
  page: Buffer,
): { readonly pageSize: number; readonly transaction: number } | undefined {
  if (page.readUInt32LE(headerSize) !== magic || page.readUInt32LE(headerSize + 4) !== formatVersion)
    return undefined;
  const pageSize = page.readUInt32LE(firstTree);
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) return undefined;
  return { pageSize, transaction: numberAt(page, firstTree + 2 * treeSize + 8) };
}

/** The trees that a meta page describes: that of free pages, and that of keys and values. */
export function treesOf(meta: Buffer): readonly Tree[] {
  return [firstTree, firstTree + treeSize].map((at) => {
    const root = meta.readBigUInt64LE(at + 40);
    return {
      depth: meta.readUInt16LE(at + 6),
      entries: numberAt(meta, at + 32),
      root: root === noPage ? undefined : Number(root),
      isOrderedByBytes: (meta.readUInt16LE(at + 4) & hasNumberKeys) === 0,
    };
  });
}

/** Reads the head of a page; `undefined` when it is not one of a tree. */
export function pageOf(bytes: Buffer): DatabasePage | undefined {
  const kind = kinds.get(bytes.readUInt16LE(18));
  if (kind === undefined) return undefined;
  const pages = kind === "overflow" ? bytes.readUInt32LE(20) : 1;
  return { number: numberAt(bytes, 0), kind, pages, bytes };
}

export type Nodes =
  | { readonly kind: "branch"; readonly children: readonly number[] }
  | { readonly kind: "leaf"; readonly leaves: readonly Leaf[] };

/** The nodes of a branch or leaf page; `undefined` when one is outside of the page or their keys are not in order. */
export function pageNodes({ kind, bytes }: DatabasePage, isOrderedByBytes: boolean): Nodes | undefined {
  const [lower, upper] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22)];
  if (lower > upper || upper + headerSize > bytes.length || lower % 2 !== 0) return undefined;
  const places = Array.from({ length: lower / 2 }, (_, index) => nodeAt(bytes, index));
  if (places.some(({ keyEnd }) => keyEnd > bytes.length)) return undefined;
  // The first key of a branch page is not used.
  if (isOrderedByBytes && !isInOrder(bytes, kind === "leaf" ? places : places.slice(1))) return undefined;
  if (kind === "branch") return { kind, children: places.map(({ at }) => childAt(bytes, at)) };
  const leaves = places.map((place) => leafAt(bytes, place));
  return leaves.every((leaf) => leaf !== undefined) ? { kind: "leaf", leaves } : undefined;
}

/** Where a node and its key are in their page. */
interface NodePlace {
  readonly at: number;
  readonly keyStart: number;
  readonly keyEnd: number;
}

function nodeAt(bytes: Buffer, index: number): NodePlace {
  const at = bytes.readUInt16LE(headerSize + 2 * index) + headerSize;
  const keyStart = at + nodeHeaderSize;
  const keyEnd = keyStart > bytes.length ? Number.POSITIVE_INFINITY : keyStart + bytes.readUInt16LE(at + 6);
  return { at, keyStart, keyEnd };
}

function isInOrder(bytes: Buffer, places: readonly NodePlace[]): boolean {
  return places.every(({ keyStart, keyEnd }, index) => {
    const before = places[index - 1];
    if (before === undefined) return true;
    return bytes.compare(bytes, keyStart, keyEnd, before.keyStart, before.keyEnd) < 0;
  });
}

function childAt(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + bytes.readUInt16LE(at + 4) * 2 ** 32;
}

function leafAt(bytes: Buffer, { at, keyEnd }: NodePlace): Leaf | undefined {
  const size = bytes.readUInt32LE(at);
  const flags = bytes.readUInt16LE(at + 4);
  if (flags !== 0 && flags !== isLargeValue) return undefined; // no trees within trees here
  const isLarge = flags === isLargeValue;
  if (keyEnd + (isLarge ? overflowReferenceSize : size) > bytes.length) return undefined;
  return isLarge ? { overflow: { number: numberAt(bytes, keyEnd), bytes: size } } : inPage;
}

const inPage: Leaf = { overflow: undefined };

/** Reads a number that is exact below 2^53, more than the pages of any file. */
function numberAt(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}
