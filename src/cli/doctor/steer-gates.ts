import { argumentValues } from "./steer-facts.ts";

/** The feature gates in the arguments of a program. */
export function readGates(words: readonly string[]): Readonly<Record<string, boolean>> {
  const pairs = argumentValues(words, "feature-gates").flatMap((value) => value.split(","));
  return Object.fromEntries(
    pairs.flatMap((pair): readonly (readonly [string, boolean])[] => {
      const [name = "", value = ""] = pair.split("=");
      return name.trim() === "" ? [] : [[name.trim(), value.trim() === "true"]];
    }),
  );
}
