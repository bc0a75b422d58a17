import { ApiError } from "../machinery/client/api-error.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { oneOf, randomInt, seededRandom } from "../machinery/random/random.ts";
import { NodeTroubles } from "./faults/node-troubles.ts";
import { besieged } from "./faults/request-fault.ts";
import { requestFaults } from "./faults/request-faults.ts";
import { disturbed, watchFaults } from "./faults/watch-faults.ts";
import { Weather } from "./faults/weather.ts";
import { type Breach, Court } from "./invariants/court.ts";
import type { Invariant } from "./invariants/invariant.ts";
import { invariants as allInvariants } from "./invariants/invariants.ts";
import { type Mutation, Population } from "./population.ts";
import type { Recording } from "./recording/recording.ts";
import type { Deed, People, Scenario } from "./scenarios/scenario.ts";
import { Calamities, drawChances } from "./storm.ts";
import { startWorld, type World } from "./world.ts";

export interface TrialOptions {
  readonly scenario: Scenario;
  readonly seed: string | number;
  /** Absent: all of them. */
  readonly invariants?: readonly Invariant[];
  readonly mutation?: Mutation;
}

/** What came of a trial. */
export interface TrialResult {
  /** The first promise that was broken, if any. */
  readonly breach: Breach | undefined;
  /** How often each fault struck. */
  readonly faults: Readonly<Record<string, number>>;
  readonly revisions: number;
  /** How long it lasted, in the time of its world. */
  readonly virtualMs: number;
  readonly recording: Recording;
}

const steps = 14;
const calmBeforeMs = 10_000;

/** Tells a scenario in a storm, lets the world come to rest, and holds it to its promises all the time. */
export async function runTrial(options: TrialOptions): Promise<TrialResult> {
  const { scenario, seed } = options;
  const stage = setStage(options);
  const { clock, population, court } = stage;
  const { surroundings, committed } = population;
  const world = await startWorld({ seed, nodes: scenario.nodes, clock, surroundings, committed });
  stage.raise(world);
  const begin = world.recording.start;

  const people = { client: world.client, random: world.random };
  await scenario.prepare(people);
  await world.advance(calmBeforeMs);
  await storm(world, { ...stage, scenario, people });
  if (court.breach === undefined) {
    const isAtRest = await world.comeToRest();
    court.observe({ kind: "quiet" });
    court.observe({ kind: isAtRest ? "rest" : "unrest" });
  }
  await world.stop();
  return {
    breach: court.breach,
    faults: stage.faults,
    revisions: world.store.revision(),
    virtualMs: clock.now() - begin,
    recording: world.recording,
  };
}

type Stage = ReturnType<typeof setStage>;

/** All that a trial has and an ordinary world has not. */
function setStage({ scenario, seed, invariants = allInvariants, mutation }: TrialOptions) {
  const random = seededRandom(`${scenario.name} ${seed}`);
  const clock = new VirtualClock();
  const faults: Record<string, number> = {};
  let world: World | undefined;
  const nodes = new NodeTroubles();
  const weather = new Weather({
    clock,
    random: random.fork("weather"),
    chances: drawChances(random.fork("chances")),
    struck(fault, what) {
      faults[fault] = (faults[fault] ?? 0) + 1;
      world?.recording.add({ kind: "fault", at: clock.now(), fault, what });
    },
  });
  const court = new Court(invariants, {
    clock,
    store: () => world?.store,
    inhabitants: () => population.living(),
  });
  const population = new Population({
    mutation,
    observer(observation) {
      court.observe(observation);
      // Who has broken a promise must not go on, perhaps for ever.
      if (court.breach !== undefined) for (const { kill } of population.living()) kill();
    },
    obstacles: (part) => [
      ...(part === "kubelet" ? [nodes.obstacle(() => world?.store, weather)] : []),
      besieged(requestFaults, weather, part),
      disturbed(watchFaults, { weather, clock, part }),
    ],
  });
  const raise = (born: World) => {
    world = born;
    population.settle(born);
  };
  return { random, clock, faults, weather, nodes, court, population, raise };
}

interface Drama extends Stage {
  readonly scenario: Scenario;
  readonly people: People;
}

async function storm(world: World, drama: Drama): Promise<void> {
  const { scenario, people, weather, court, population } = drama;
  const random = drama.random.fork("storm");
  const realm = { ...drama, world, random, mortals: scenario.mortals };
  const calamities = new Calamities(realm, scenario.calamities);
  weather.begin();
  for (let step = 0; step < steps && court.breach === undefined; step++) {
    for (let count = randomInt(random, 3); count > 0; count--)
      await attempt(oneOf(scenario.deeds, random), people);
    calamities.strike();
    await world.advance(weather.duration(20, 60_000));
    court.observe({ kind: "quiet" });
  }
  weather.end();
  await calamities.over();
  population.normalise();
}

/** People try things; what the API refuses them they leave be. */
async function attempt(deed: Deed | undefined, people: People): Promise<void> {
  try {
    await deed?.(people);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
