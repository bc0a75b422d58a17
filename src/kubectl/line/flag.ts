/** How the value of a flag is read. */
export interface LineFlag {
  readonly type: "string" | "boolean" | "list" | "array";
  readonly short?: string;
  /** The value of a flag that is given without one; the next word is never its value. */
  readonly implied?: string;
  readonly default?: string | boolean;
  /** What completion offers. */
  readonly choices?: readonly string[];
  readonly help?: string;
}

export type LineFlags = Readonly<Record<string, LineFlag>>;

/** The values of flags that were given; `list` splits at commas, `array` does not. */
export type FlagValue = string | boolean | readonly string[];

/** A command line that was read. */
export interface ReadLine {
  readonly operands: readonly string[];
  /** Operands before `--`; absent: there is no `--`. */
  readonly beforeDash?: number;
  readonly values: ReadonlyMap<string, FlagValue>;
}

/** Reads values of flags by their names. */
export interface FlagReader {
  readonly text: (name: string) => string;
  readonly isOn: (name: string) => boolean;
  readonly list: (name: string) => readonly string[];
  readonly isGiven: (name: string) => boolean;
}

/** The values of a line, with the defaults of flags that were not given. */
export function flagReader(flags: LineFlags, values: ReadLine["values"]): FlagReader {
  const valueOf = (name: string) => values.get(name) ?? flags[name]?.default;
  return {
    text: (name) => String(valueOf(name) ?? ""),
    isOn: (name) => valueOf(name) === true,
    list: (name) => {
      const value = valueOf(name);
      return Array.isArray(value) ? (value as readonly string[]) : [];
    },
    isGiven: (name) => values.has(name),
  };
}
