type Values = Uint8Array | Int32Array | Float64Array;
type ValuesConstructor = Uint8ArrayConstructor | Int32ArrayConstructor | Float64ArrayConstructor;

/** A list of numbers in as few bytes as will do, in memory that is used again when the list is replaced. */
export class PackedNumbers {
  #values: Values = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  replace(numbers: readonly number[]): void {
    const Kind = smallestFor(numbers);
    if (!(this.#values instanceof Kind) || this.#values.length < numbers.length)
      this.#values = new Kind(numbers.length);
    this.#values.set(numbers);
    this.#length = numbers.length;
  }

  at(index: number): number | undefined {
    return index < this.#length ? this.#values[index] : undefined;
  }

  toArray(): number[] {
    return Array.from(this.#values.subarray(0, this.#length));
  }
}

/** The array with the smallest elements that have room for all numbers. */
function smallestFor(numbers: readonly number[]): ValuesConstructor {
  let isByte = true;
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] ?? 0;
    if (number !== (number | 0)) return Float64Array;
    isByte &&= number === (number & 0xff);
  }
  return isByte ? Uint8Array : Int32Array;
}
