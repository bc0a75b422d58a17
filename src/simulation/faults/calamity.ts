import type { Random } from "../../machinery/random/random.ts";
import type { Population } from "../population.ts";
import type { World } from "../world.ts";
import type { NodeTroubles } from "./node-troubles.ts";
import type { Weather } from "./weather.ts";

/** Where calamities strike. */
export interface Realm {
  readonly world: World;
  readonly population: Population;
  readonly weather: Weather;
  readonly nodes: NodeTroubles;
  readonly random: Random;
  /** Parts that may die, be cut off or be wrong about the time. */
  readonly mortals: readonly string[];
}

/** Something that happens to the world as a whole, from its beginning to its end. */
export interface Calamity {
  readonly name: string;
  /** Resolves when its traces are gone, which is soon after the storm at the latest. */
  readonly strike: (realm: Realm) => Promise<void>;
}
