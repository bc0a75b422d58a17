import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import os from "node:os";
import type { Clock } from "../../machinery/clock/clock.ts";
import {
  type DatabasePage,
  type Leaf,
  metaOf,
  type Nodes,
  pageNodes,
  pageOf,
  type Tree,
  treesOf,
} from "./database-format.ts";

/** The size of the smallest page; the first one holds the size of all pages. */
const firstRead = 512;
const checkedBetweenTurns = 256;

/** Reports whether this machine has the word size and byte order of the file format. */
const hasKnownFormat =
  os.endianness() === "LE" && !["arm", "ia32", "mips", "mipsel", "ppc", "s390"].includes(process.arch);

/**
 * Checks the structure of an LMDB file without changing it; throws one sentence when it is damaged. LMDB itself checks
 * nothing: it maps the file into memory, and a wrong page number there ends the process or hides objects.
 */
export async function checkDatabaseFile(file: string, clock: Pick<Clock, "yieldToEventLoop">): Promise<void> {
  if (!hasKnownFormat) return;
  const descriptor = openSync(file, "r");
  try {
    const check = newCheck(descriptor);
    for (const tree of treesOf(check.meta)) await checkTree(check, tree, clock);
  } finally {
    closeSync(descriptor);
  }
}

interface Check {
  readonly meta: Buffer;
  readonly pageSize: number;
  readonly pageCount: number;
  /** Reads a page; the next call overwrites it. */
  readonly read: (number: number) => Buffer;
  /** Marks the pages that were visited: every page belongs to exactly one place. */
  readonly seen: Uint8Array;
}

function newCheck(descriptor: number): Check {
  const { size } = fstatSync(descriptor);
  const readAt = (position: number, length: number, bytes = Buffer.alloc(length)) => {
    if (readSync(descriptor, bytes, 0, length, position) < length) throw damaged("it ends too early");
    return bytes;
  };
  const { pageSize } = metaOf(readAt(0, firstRead)) ?? { pageSize: undefined };
  if (pageSize === undefined || size < 2 * pageSize) throw damaged("it is not a database");
  const metas = [0, 1].map((number) => readAt(number * pageSize, firstRead));
  const newest = metas.toSorted((a, b) => (metaOf(b)?.transaction ?? -1) - (metaOf(a)?.transaction ?? -1))[0];
  if (newest === undefined || metas.some((meta) => metaOf(meta)?.pageSize !== pageSize))
    throw damaged("its first pages are damaged");
  const pageCount = Math.floor(size / pageSize);
  const page = Buffer.alloc(pageSize); // only one page is examined at a time
  return {
    meta: newest,
    pageSize,
    pageCount,
    read: (number) => readAt(number * pageSize, pageSize, page),
    seen: new Uint8Array(pageCount),
  };
}

/** A page, and how deep in its tree it is. */
interface Place {
  readonly number: number;
  readonly depth: number;
}

async function checkTree(check: Check, tree: Tree, clock: Pick<Clock, "yieldToEventLoop">): Promise<void> {
  let entries = 0;
  let count = 0;
  const waiting: Place[] = tree.root === undefined ? [] : [{ number: tree.root, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { number, depth } = next;
    const nodes = checkedNodes(check, tree, next);
    if (nodes.kind === "branch")
      for (const child of nodes.children) waiting.push({ number: child, depth: depth + 1 });
    else entries += checkLeaves(check, number, nodes.leaves);
    const turn = ++count % checkedBetweenTurns === 0 ? clock.yieldToEventLoop?.() : undefined;
    if (turn !== undefined) await turn;
  }
  if (entries !== tree.entries) throw damaged(`it has ${entries} entries instead of ${tree.entries}`);
}

function checkedNodes(check: Check, tree: Tree, { number, depth }: Place): Nodes {
  const page = checkedPage(check, number);
  const wanted = depth === tree.depth ? "leaf" : "branch";
  const nodes = page.kind === wanted ? pageNodes(page, tree.isOrderedByBytes) : undefined;
  if (nodes === undefined) throw damagedPage(number);
  return nodes;
}

/** Checks that the large values of a page are where it says; returns the number of its values. */
function checkLeaves(check: Check, number: number, leaves: readonly Leaf[]): number {
  for (const { overflow } of leaves) {
    if (overflow === undefined) continue;
    const { kind, pages } = checkedPage(check, overflow.number);
    if (kind !== "overflow" || pages * check.pageSize < overflow.bytes) throw damagedPage(number);
    if (overflow.number + pages > check.pageCount) throw damaged("it ends too early");
  }
  return leaves.length;
}

function checkedPage({ seen, pageCount, read }: Check, number: number): DatabasePage {
  if (number >= pageCount) throw damaged("it ends too early");
  if (number < 2 || seen[number] === 1) throw damagedPage(number);
  seen[number] = 1;
  const page = pageOf(read(number));
  if (page === undefined || page.number !== number) throw damagedPage(number);
  return page;
}

const damaged = (how: string) => new Error(`its database is damaged: ${how}`);
const damagedPage = (number: number) => damaged(`page ${number} is not what it should be`);
