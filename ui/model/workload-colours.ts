/** The number of colours that readers with colour blindness can tell apart. */
const colours = 8;

/** Gives workloads colours in the order in which they appear, so that a colour stays with its workload. */
export class WorkloadColours {
  readonly #numbers = new Map<string, number>();

  of(key: string): number {
    const known = this.#numbers.get(key) ?? this.#numbers.size % colours;
    this.#numbers.set(key, known);
    return known;
  }
}
