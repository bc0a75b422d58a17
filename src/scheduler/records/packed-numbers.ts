/** A list of numbers in as few bytes as will do, in memory that is used again when the list is replaced. */
export class PackedNumbers {
  #values: Uint8Array | Int32Array | Float64Array = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  replace(numbers: readonly number[]): void {
    this.#length = numbers.length;
    const values = this.#room(numbers);
    // An element at a time: `set` takes ten times as long for an array that is not a typed one.
    for (let index = 0; index < numbers.length; index++) values[index] = numbers[index] ?? 0;
    this.#values = values;
  }

  at(index: number): number | undefined {
    return index < this.#length ? this.#values[index] : undefined;
  }

  toArray(): number[] {
    return Array.from(this.#values.subarray(0, this.#length));
  }

  /** An array with the smallest elements that have room for all numbers: the one there is, if possible. */
  #room(numbers: readonly number[]): Uint8Array | Int32Array | Float64Array {
    const Kind = smallestFor(numbers);
    const isRoomy = this.#values instanceof Kind && this.#values.length >= numbers.length;
    return isRoomy ? this.#values : new Kind(numbers.length);
  }
}

function smallestFor(
  numbers: readonly number[],
): Uint8ArrayConstructor | Int32ArrayConstructor | Float64ArrayConstructor {
  let isByte = true;
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] ?? 0;
    if (number !== (number | 0)) return Float64Array;
    isByte &&= number === (number & 0xff);
  }
  return isByte ? Uint8Array : Int32Array;
}
