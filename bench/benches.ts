import { cluster } from "./cluster.ts";
import type { Measure } from "./measure.ts";
import { planning } from "./planning.ts";
import { ranking } from "./ranking.ts";

/** Every bench by name, one line each. */
export const benches: Readonly<Record<string, () => readonly Measure[] | Promise<readonly Measure[]>>> = {
  cluster,
  planning,
  ranking,
};
