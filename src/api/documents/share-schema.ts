import { anyText, type DocumentSchema, either, number } from "./document-schema.ts";

/** A share: `0.25` or `25%`. */
export const shareSchema = (description: string): DocumentSchema<number | string> =>
  either(description, "must be a share from 0 to 1, or a percentage such as 25%", [
    number("A share.", { minimum: 0, maximum: 1 }),
    anyText("A percentage.", {
      pattern: "^(100|[0-9]{1,2}(\\.[0-9]+)?)%$",
      errorMessage: "must be a percentage such as 25%",
    }),
  ]);

/** A share, as documents have it, as a number from 0 to 1. */
export function shareIn(share: number | string): number {
  return typeof share === "number" ? share : Number(share.slice(0, -1)) / 100;
}
