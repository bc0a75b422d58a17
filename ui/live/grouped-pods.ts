import type { Pod } from "../../src/api/generated/core-v1.ts";

interface Group {
  readonly members: Map<string, Pod>;
  /** The members as a list; made anew only when one has changed, so that it may be compared by identity. */
  list?: readonly Pod[];
}

const none: readonly Pod[] = [];

/** Pods in groups; the list of a group stays the same array for as long as none of its Pods changes. */
export class GroupedPods {
  readonly #groupOf: (pod: Pod) => string;
  readonly #groups = new Map<string, Group>();

  constructor(groupOf: (pod: Pod) => string) {
    this.#groupOf = groupOf;
  }

  in(name: string): readonly Pod[] {
    const group = this.#groups.get(name);
    if (group === undefined) return none;
    group.list ??= [...group.members.values()];
    return group.list;
  }

  replace(key: string, before: Pod | undefined, after: Pod | undefined): void {
    const from = before === undefined ? undefined : this.#groupOf(before);
    const to = after === undefined ? undefined : this.#groupOf(after);
    if (from !== undefined && from !== to) this.#remove(from, key);
    if (to === undefined || after === undefined) return;
    const group = this.#groups.get(to) ?? { members: new Map<string, Pod>() };
    this.#groups.set(to, group);
    group.members.set(key, after);
    delete group.list;
  }

  #remove(name: string, key: string): void {
    const group = this.#groups.get(name);
    if (group === undefined) return;
    group.members.delete(key);
    delete group.list;
    if (group.members.size === 0) this.#groups.delete(name);
  }
}
