import type { StatefulSet } from "../../api/generated/apps-v1.ts";

/**
 * Knows which Pods were created for a set as it is known now. A second time the set itself may be gone without the
 * controller having heard of it: the garbage collector then deletes what is created, and that leads to the next creation.
 */
export class RepeatedCreations {
  readonly #created = new Map<string, { readonly resourceVersion: string; readonly names: Set<string> }>();

  /** Says whether a Pod of this name was created before for the set as it is, and remembers that it is now. */
  isRepeated({ metadata: { uid, resourceVersion } }: StatefulSet, name: string): boolean {
    const known = this.#created.get(uid);
    if (known?.resourceVersion !== resourceVersion) {
      this.#created.set(uid, { resourceVersion, names: new Set([name]) });
      return false;
    }
    if (known.names.has(name)) return true;
    known.names.add(name);
    return false;
  }

  forget({ metadata: { uid } }: StatefulSet): void {
    this.#created.delete(uid);
  }
}
