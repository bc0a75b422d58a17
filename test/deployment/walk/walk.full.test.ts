import { expect, test } from "vitest";
import { walk } from "./walk.ts";

// TRIMTAB_WALKS says how many, for those who have the time.
const count = Number(process.env["TRIMTAB_WALKS"] ?? 500);
const hundreds = Array.from({ length: Math.ceil(count / 100) }, (_, index) => index * 100);

test.for(hundreds)("a hundred walks from %d on keep every promise, and end complete", async (from) => {
  for (let index = from; index < Math.min(from + 100, count); index++) {
    const seed = `walk ${index}`;
    expect({ seed, ...(await walk(seed)) }).toMatchObject({ seed, breaches: [] });
  }
});
