import type { PlainRejection, RejectionCode, RefusedNode, Rejection, SharedRejection } from "./plugin.ts";
import type { NodeInfo } from "./objects/node-info.ts";

/** A refusal with the plugins it came from, as the nodes that were refused alike have it in common. */
interface RefusalKind {
  readonly refusal: PlainRejection | SharedRejection;
  readonly plugins: readonly string[];
}

/** The nodes that a placement rejected, in the order in which it examined them. */
export interface RefusedNodes extends Iterable<RefusedNode> {
  readonly length: number;
  /** The plugins that rejected any of the nodes, in the order in which they first did. */
  plugins(): ReadonlySet<string>;
  /** The reasons of every node, without its detail. */
  reasons(): Iterable<readonly string[]>;
  /** The code of every node, by its name. */
  codes(): ReadonlyMap<string, RejectionCode>;
  toArray(): readonly RefusedNode[];
}

/**
 * The list that a placement writes: a number for each node, and the few refusals that they share. Most nodes are never
 * read one by one, so the rejection of a node is made when it is read.
 */
export class RefusedNodeList implements RefusedNodes {
  #length = 0;
  readonly #names: string[] = [];
  /** By node: the index of its refusal. */
  #kindOf = new Int32Array(0);
  /** By node: what the detail of its refusal is about, where that differs from node to node. */
  readonly #subjects: string[] = [];
  readonly #kinds: RefusalKind[] = [];
  readonly #known = new Map<RefusalKind["refusal"], number>();

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
    this.#kinds.length = 0;
    this.#known.clear();
  }

  add(node: NodeInfo, refusal: RefusalKind["refusal"], plugins: readonly string[]): void {
    const index = this.#append(node.name, refusal, plugins);
    this.#subjects[index] = isShared(refusal) ? refusal.detail.subject(node) : "";
  }

  /** Takes over the nodes of another list; what it refers to is not copied. */
  replace(other: RefusedNodes): void {
    this.clear();
    if (other instanceof RefusedNodeList) this.#copy(other);
    else for (const { node, rejection } of other) this.#append(node, rejection, rejection.plugins);
  }

  #append(name: string, refusal: RefusalKind["refusal"], plugins: readonly string[]): number {
    const index = this.#length++;
    if (index >= this.#kindOf.length) this.#grow();
    this.#names[index] = name;
    this.#kindOf[index] = this.#numberOf(refusal, plugins);
    return index;
  }

  /** Copies the numbers of a list into this one, which is empty. */
  #copy(other: RefusedNodeList): void {
    const length = other.#length;
    if (length === 0) return;
    if (length > this.#kindOf.length) this.#kindOf = new Int32Array(length);
    this.#kindOf.set(other.#kindOf.subarray(0, length));
    const hasSubjects = other.#kinds.some(({ refusal }) => isShared(refusal));
    for (let index = 0; index < length; index++) {
      this.#names[index] = other.#names[index] ?? "";
      if (hasSubjects) this.#subjects[index] = other.#subjects[index] ?? "";
    }
    for (const kind of other.#kinds) this.#kinds.push(kind);
    this.#length = length;
  }

  plugins(): ReadonlySet<string> {
    return new Set(this.#kinds.flatMap(({ plugins }) => plugins));
  }

  *reasons(): Generator<readonly string[]> {
    for (let index = 0; index < this.#length; index++) yield this.#kindAt(index)?.refusal.reasons ?? [];
  }

  codes(): ReadonlyMap<string, RejectionCode> {
    const codes = new Map<string, RejectionCode>();
    for (let index = 0; index < this.#length; index++) {
      const kind = this.#kindAt(index);
      if (kind !== undefined) codes.set(this.#names[index] ?? "", kind.refusal.code);
    }
    return codes;
  }

  *[Symbol.iterator](): Generator<RefusedNode> {
    // Nodes that were refused alike share the rejection as well, unless its detail differs.
    const shared = this.#kinds.map((kind) => (isShared(kind.refusal) ? undefined : rejectionOf(kind, "")));
    for (let index = 0; index < this.#length; index++) {
      const kind = this.#kindAt(index);
      if (kind === undefined) continue;
      const rejection = shared[this.#kindOf[index] ?? 0] ?? rejectionOf(kind, this.#subjects[index] ?? "");
      yield { node: this.#names[index] ?? "", rejection };
    }
  }

  toArray(): readonly RefusedNode[] {
    return [...this];
  }

  #kindAt(index: number): RefusalKind | undefined {
    return this.#kinds[this.#kindOf[index] ?? 0];
  }

  #numberOf(refusal: RefusalKind["refusal"], plugins: readonly string[]): number {
    const known = this.#known.get(refusal);
    // Two plugins may return one and the same refusal.
    if (known !== undefined && this.#kinds[known]?.plugins === plugins) return known;
    const number = this.#kinds.push({ refusal, plugins }) - 1;
    this.#known.set(refusal, number);
    return number;
  }

  #grow(): void {
    const grown = new Int32Array(Math.max(64, 2 * this.#kindOf.length));
    grown.set(this.#kindOf);
    this.#kindOf = grown;
  }
}

function isShared(refusal: RefusalKind["refusal"]): refusal is SharedRejection {
  return typeof refusal.detail === "object";
}

/** The rejection of one node; the subject is what its detail is about, where that differs from node to node. */
function rejectionOf({ refusal, plugins }: RefusalKind, subject: string): Rejection {
  const { kind, code, reasons } = refusal;
  const detail = isShared(refusal) ? refusal.detail.text(subject) : refusal.detail;
  return detail === undefined ? { kind, code, reasons, plugins } : { kind, code, reasons, detail, plugins };
}
