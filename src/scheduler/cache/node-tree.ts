import type { Node } from "../../api/generated/core-v1.ts";
import { zoneKey } from "../../decisions/placement/objects/zone-key.ts";

/** Names of nodes in the order in which they are examined: one of each zone in turn (upstream: nodeTree). */
export class NodeTree {
  readonly #zones = new Map<string, Set<string>>();
  readonly #zoneOf = new Map<string, string>();
  #order: readonly string[] | undefined;

  /** Adds a node, or moves it to its new zone. */
  put({ metadata }: Node): void {
    const zone = zoneKey(metadata.labels);
    if (this.#zoneOf.get(metadata.name) === zone) return;
    this.remove(metadata.name);
    this.#zoneOf.set(metadata.name, zone);
    const names = this.#zones.get(zone);
    if (names === undefined) this.#zones.set(zone, new Set([metadata.name]));
    else names.add(metadata.name);
    this.#order = undefined;
  }

  remove(name: string): void {
    const zone = this.#zoneOf.get(name);
    if (zone === undefined) return;
    this.#zoneOf.delete(name);
    const names = this.#zones.get(zone);
    names?.delete(name);
    if (names?.size === 0) this.#zones.delete(zone);
    this.#order = undefined;
  }

  /** The same array until a node is added, removed or changes its zone. */
  order(): readonly string[] {
    this.#order ??= interleave([...this.#zones.values()].map((names) => [...names]));
    return this.#order;
  }
}

function interleave(zones: readonly (readonly string[])[]): readonly string[] {
  const largest = zones.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: largest }, (_, index) => zones.flatMap((names) => names[index] ?? [])).flat();
}
