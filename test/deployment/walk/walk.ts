import { deployments } from "../../../src/api/resources.ts";
import { VirtualClock } from "../../../src/machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../../src/machinery/random/random.ts";
import type { Recording } from "../../../src/simulation/recording/recording.ts";
import { web } from "../builders.ts";
import { type Route, routeOf } from "./errand.ts";
import { startJudged } from "./judged-world.ts";
import { enoughReady, judgePods, withinCap } from "./judge-pods.ts";
import type { Mutation } from "./mutation.ts";
import { promisesOf } from "./promises.ts";
import { comeToRest } from "./rest.ts";
import { runErrand } from "./run-errand.ts";
import { Weather } from "./weather.ts";

/** What became of a walk. */
export interface Walk {
  readonly route: Route;
  /** Every promise that was broken, with the second in which it was. */
  readonly breaches: readonly string[];
  /** Everything that was ever stored or decided. */
  readonly recording: Recording;
}

/** The route of a seed. */
export function routeFrom(seed: string): Route {
  return routeOf(seededRandom(seed).fork("route"));
}

/** Plays the route of a seed in a world of its own, and holds the controllers to their promises on the way. */
export async function walk(seed: string, mutation: Mutation = {}): Promise<Walk> {
  const clock = new VirtualClock();
  const random = seededRandom(seed);
  const route = routeFrom(seed);
  const breaches: string[] = [];
  const breach = (what: string) => breaches.push(`${(clock.now() - begin) / 1000} s: ${what}`);
  const begin = clock.now();
  const weather = new Weather(random.fork("weather"), clock);
  const promises = promisesOf(route);
  const goesByFacts = promises.sparesAvailable;
  const world = await startJudged({ seed, clock, weather, breach, goesByFacts, mutation });
  const { client, store, recording } = world;
  await world.advance(1000);
  weather.moveApart(route.distanceMs);
  if (promises.keepsCap) judgePods(store, breach, withinCap(store));
  await client.create(deployments, web(route.begin));
  await world.advance(60_000);
  if (promises.staysAvailable) judgePods(store, breach, enoughReady(route));
  for (const { afterMs, errand } of route.errands) {
    await world.advance(afterMs);
    if (route.sort === "rough") weather.change();
    await runErrand(errand, client, random);
  }
  await world.advance(30_000);
  weather.calm();
  await runErrand({ do: "mend" }, client, random);
  await comeToRest(client, clock, breach);
  await world.stop();
  return { route, breaches, recording };
}
