import { inject } from "vitest";

/** `unit` is what `npm test` runs, `full` is what `npm run test:full` runs. */
export type Tier = "unit" | "full";

declare module "vitest" {
  interface ProvidedContext {
    tier: Tier;
  }
}

/** Returns the value for the tier that runs now: a suite in `*.tiers.test.ts` takes its sizes and versions from here. */
export function perTier<T>(values: Readonly<Record<Tier, T>>): T {
  return values[inject("tier")];
}
