/** The number of colours that readers with colour blindness can tell apart. */
const colours = 8;

/** Each colour comes plain, with a dot and with a bar. */
const patterns = 3;

/** How a group is drawn: the number of its colour, and of the pattern on it. */
export interface GroupLook {
  readonly colour: number;
  readonly pattern: number;
}

/**
 * Gives groups of Pods colours in the order in which they appear, so that a colour stays with its group. Once all colours
 * are used up they come again with a pattern; groups beyond that have no look of their own, and are drawn grey.
 */
export class WorkloadColours {
  readonly #looks = new Map<string, GroupLook | undefined>();

  of(key: string): GroupLook | undefined {
    if (this.#looks.has(key)) return this.#looks.get(key);
    const number = this.#looks.size;
    const look =
      number < colours * patterns
        ? { colour: number % colours, pattern: Math.floor(number / colours) }
        : undefined;
    this.#looks.set(key, look);
    return look;
  }
}

/** The classes of a look. */
export function lookClass(look: GroupLook | undefined): string {
  if (look === undefined) return "cx";
  return look.pattern === 0 ? `c${look.colour}` : `c${look.colour} p${look.pattern}`;
}
