import { ApiError } from "../machinery/client/api-error.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { oneOf, randomInt, seededRandom } from "../machinery/random/random.ts";
import { NodeFaults } from "./faults/node-faults.ts";
import { injectRequestFaults } from "./faults/request-fault.ts";
import { requestFaults } from "./faults/request-faults.ts";
import { injectWatchFaults, watchFaults } from "./faults/watch-faults.ts";
import { FaultSchedule } from "./faults/fault-schedule.ts";
import { type Violation, InvariantChecker } from "./invariants/invariant-checker.ts";
import type { Invariant } from "./invariants/invariant.ts";
import { invariants as allInvariants } from "./invariants/invariants.ts";
import { type Mutation, Processes } from "./processes.ts";
import type { Recording } from "./recording/recording.ts";
import type { UserAction, User, Scenario } from "./scenarios/scenario.ts";
import { ClusterFaultInjector, drawProbabilities } from "./cluster-fault-injector.ts";
import { startSimulatedCluster, type SimulatedCluster } from "./simulated-cluster.ts";

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
  readonly violation: Violation | undefined;
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
  const stage = setUpTrial(options);
  const { clock, population, court } = stage;
  const { environment, committed } = population;
  const world = await startSimulatedCluster({
    seed,
    nodes: scenario.nodes,
    clock,
    componentOverrides: environment,
    committed,
  });
  stage.raise(world);
  const begin = world.recording.start;

  const people = { client: world.client, random: world.random };
  await scenario.prepare(people);
  await world.advance(calmBeforeMs);
  await runWithFaults(world, { ...stage, scenario, user: people });
  if (court.violation === undefined) {
    const isAtRest = await world.untilStable();
    court.observe({ kind: "quiet" });
    court.observe({ kind: isAtRest ? "rest" : "unrest" });
  }
  await world.stop();
  return {
    violation: court.violation,
    faults: stage.faults,
    revisions: world.store.revision(),
    virtualMs: clock.now() - begin,
    recording: world.recording,
  };
}

type TrialSetup = ReturnType<typeof setUpTrial>;

/** All that a trial has and an ordinary world has not. */
function setUpTrial({ scenario, seed, invariants = allInvariants, mutation }: TrialOptions) {
  const random = seededRandom(`${scenario.name} ${seed}`);
  const clock = new VirtualClock();
  const faults: Record<string, number> = {};
  let world: SimulatedCluster | undefined;
  const nodes = new NodeFaults();
  const weather = new FaultSchedule({
    clock,
    random: random.fork("weather"),
    probabilities: drawProbabilities(random.fork("chances")),
    injected(fault, what) {
      faults[fault] = (faults[fault] ?? 0) + 1;
      world?.recording.add({ kind: "fault", at: clock.now(), fault, what });
    },
  });
  const court = new InvariantChecker(invariants, {
    clock,
    store: () => world?.store,
    processes: () => population.running(),
  });
  const population = new Processes({
    mutation,
    observer(observation) {
      court.observe(observation);
      // Who has broken a promise must not go on, perhaps for ever.
      if (court.violation !== undefined) for (const { kill } of population.running()) kill();
    },
    interceptors: (part) => [
      ...(part === "kubelet" ? [nodes.interceptor(() => world?.store, weather)] : []),
      injectRequestFaults(requestFaults, weather, part),
      injectWatchFaults(watchFaults, { schedule: weather, clock, component: part }),
    ],
  });
  const raise = (born: SimulatedCluster) => {
    world = born;
    population.attach(born);
  };
  return { random, clock, faults, weather, nodes, court, population, raise };
}

interface FaultyPeriod extends TrialSetup {
  readonly scenario: Scenario;
  readonly user: User;
}

async function runWithFaults(world: SimulatedCluster, drama: FaultyPeriod): Promise<void> {
  const { scenario, user, weather, court, population } = drama;
  const random = drama.random.fork("storm");
  const realm = { ...drama, world, random, mortals: scenario.restartable };
  const calamities = new ClusterFaultInjector(realm, scenario.clusterFaults);
  weather.start();
  for (let step = 0; step < steps && court.violation === undefined; step++) {
    for (let count = randomInt(random, 3); count > 0; count--)
      await attempt(oneOf(scenario.userActions, random), user);
    calamities.injectSome();
    await world.advance(weather.duration(20, 60_000));
    court.observe({ kind: "quiet" });
  }
  weather.stop();
  await calamities.finished();
  population.runEachOnce();
}

/** People try things; what the API refuses them they leave be. */
async function attempt(deed: UserAction | undefined, people: User): Promise<void> {
  try {
    await deed?.(people);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
