type Elements = Uint8Array | Int32Array | Float64Array;

/** A list of numbers in few bytes, in memory that is used again when the list is replaced. */
export class PackedNumbers {
  #values: Elements = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Replaces the list; the elements become larger when a number needs it, and stay so: the next list is much alike. */
  replace(numbers: readonly number[]): void {
    this.#length = numbers.length;
    if (this.#values.length < numbers.length) this.#values = roomLike(this.#values, numbers.length);
    while (!write(this.#values, numbers)) this.#values = larger(this.#values);
  }

  toArray(): number[] {
    return Array.from(this.#values.subarray(0, this.#length));
  }
}

/** Writes numbers until one changes by being written: false then. */
function write(values: Elements, numbers: readonly number[]): boolean {
  const isExact = values instanceof Float64Array;
  // An element at a time: `set` takes ten times as long for an array that is not a typed one.
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] ?? 0;
    values[index] = number;
    if (values[index] !== number && !isExact) return false;
  }
  return true;
}

function roomLike(values: Elements, length: number): Elements {
  if (values instanceof Uint8Array) return new Uint8Array(length);
  return values instanceof Int32Array ? new Int32Array(length) : new Float64Array(length);
}

function larger(values: Elements): Elements {
  return values instanceof Uint8Array ? new Int32Array(values.length) : new Float64Array(values.length);
}
