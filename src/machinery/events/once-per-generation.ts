import { keyOf, type StoredObject } from "../../api/object.ts";

/** Remembers about which generation of an object something was said, so that reconciles do not repeat it. */
export class OncePerGeneration {
  readonly #said = new Map<string, string>();

  /** Reports whether it was not said about this generation of the object yet, and remembers that it is now. */
  isFirst(object: StoredObject): boolean {
    const key = keyOf(object);
    const { uid, generation = 0 } = object.metadata;
    const said = `${uid} ${generation}`;
    if (this.#said.get(key) === said) return false;
    this.#said.set(key, said);
    return true;
  }

  /** Forgets an object that is gone. */
  forget(key: string): void {
    this.#said.delete(key);
  }
}
