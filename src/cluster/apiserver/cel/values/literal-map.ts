import { CelError, type CelMap, type CelValue, Uint } from "./cel-value.ts";

/** Returns a text that is the same for keys that are equal; `undefined` if a value cannot be a key. */
function keyText(key: CelValue): string | undefined {
  if (typeof key === "string") return `s${key}`;
  if (typeof key === "boolean") return String(key);
  if (key instanceof Uint) return `n${key.value}`;
  if (typeof key === "bigint") return `n${key}`;
  return typeof key === "number" && Number.isInteger(key) ? `n${BigInt(key)}` : undefined;
}

/** A map that an expression makes. */
export class LiteralMap implements CelMap {
  readonly kind = "map";
  readonly #entries = new Map<string, readonly [CelValue, CelValue]>();

  get size(): number {
    return this.#entries.size;
  }

  keys(): readonly CelValue[] {
    return Array.from(this.#entries.values(), ([key]) => key);
  }

  get(key: CelValue): CelValue | undefined {
    return this.#entries.get(keyText(key) ?? "")?.[1];
  }

  /** Adds an entry; returns what is wrong with its key, if anything. */
  add(key: CelValue, value: CelValue): CelError | undefined {
    const text = keyText(key);
    if (text === undefined) return new CelError("unsupported key type");
    if (this.#entries.has(text)) {
      return new CelError(`insert failed: key ${text.replace(/^[sn]/, "")} already exists`);
    }
    this.#entries.set(text, [key, value]);
    return undefined;
  }
}
