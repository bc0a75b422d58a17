import type { Node } from "../../api/generated/core-v1.ts";
import { zoneLabel, zoneOf } from "../../api/well-known.ts";
import type { StoreEvent } from "../../cluster/store/store.ts";

/** The topology domains of the nodes that exist: zones, and domains by other labels of nodes. */
export class NodeDomains {
  readonly #keys: readonly string[];
  readonly #labels = new Map<string, Readonly<Record<string, string>>>();
  /** How many nodes each domain has, by topology key. */
  readonly #domains = new Map<string, Map<string, number>>();

  constructor(keys: readonly string[]) {
    this.#keys = [...new Set([zoneLabel, ...keys])];
  }

  /** The domains that have nodes, in their order. */
  domains(key: string): readonly string[] {
    return [...(this.#domains.get(key)?.keys() ?? [])].sort();
  }

  /** The domain of a node by each key; none for an unknown node. */
  domainsOf(node: string | undefined): ReadonlyMap<string, string> {
    const labels = this.#labels.get(node ?? "");
    const domains = new Map<string, string>();
    for (const key of this.#keys) {
      const domain = key === zoneLabel ? zoneOf({ labels }) : labels?.[key];
      if (domain !== undefined) domains.set(key, domain);
    }
    return domains;
  }

  /** Takes in a commit of a Node. */
  observe({ type, record }: StoreEvent): void {
    const { metadata } = record.object as unknown as Node;
    this.#count(metadata.name, -1);
    if (type === "DELETED") this.#labels.delete(metadata.name);
    else this.#labels.set(metadata.name, metadata.labels ?? {});
    this.#count(metadata.name, 1);
  }

  #count(node: string, by: 1 | -1): void {
    for (const [key, domain] of this.domainsOf(node)) {
      const counts = this.#domains.get(key) ?? new Map<string, number>();
      this.#domains.set(key, counts);
      const count = (counts.get(domain) ?? 0) + by;
      if (count === 0) counts.delete(domain);
      else counts.set(domain, count);
    }
  }
}
