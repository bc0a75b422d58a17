import { defaultFeatureGates, type FeatureGates } from "../api/feature-gates.ts";
import { defaultSchedulerConfig } from "../scheduler/configuration/scheduler-config.ts";
import { ApiError } from "../machinery/client/api-error.ts";
import type { Interceptor } from "../machinery/client/intercept-client.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { oneOf, type Random, randomInt, seededRandom } from "../machinery/random/random.ts";
import { ClusterFaultInjector } from "./faults/cluster-fault-injector.ts";
import { drawProbabilities } from "./faults/draw-probabilities.ts";
import { FaultSchedule } from "./faults/fault-schedule.ts";
import { latency } from "./faults/latency.ts";
import { NodeFaults } from "./faults/node-faults.ts";
import { injectRequestFaults, requestFaults } from "./faults/request-faults.ts";
import { injectWatchFaults, watchFaults } from "./faults/watch-faults.ts";
import { InvariantChecker, type Violation } from "./invariants/invariant-checker.ts";
import type { Invariant } from "./invariants/invariant.ts";
import { invariants as allInvariants } from "./invariants/invariants.ts";
import { type Mutation, Processes } from "./processes.ts";
import type { Recording } from "./recording/recording.ts";
import type { Scenario, User, UserAction } from "./scenarios/scenario.ts";
import {
  type SimulatedCluster,
  type SimulatedClusterOptions,
  startSimulatedCluster,
} from "./simulated-cluster.ts";

export interface TrialOptions extends Pick<SimulatedClusterOptions, "guard"> {
  readonly scenario: Scenario;
  readonly seed: string | number;
  /** Absent: the defaults. */
  readonly gates?: FeatureGates;
  /** Absent: all of them. */
  readonly invariants?: readonly Invariant[];
  readonly mutation?: Mutation;
}

/** The result of a trial. */
export interface TrialResult {
  /** The first violation of an invariant, if any. */
  readonly violation: Violation | undefined;
  /** How often each fault was injected. */
  readonly faults: Readonly<Record<string, number>>;
  readonly revisions: number;
  /** How long it lasted, in virtual time. */
  readonly virtualMs: number;
  readonly recording: Recording;
}

const steps = 14;
const faultlessBeforeMs = 10_000;

/** Runs a scenario with faults, lets the cluster become stable without any, and checks the invariants all the time. */
export async function runTrial(options: TrialOptions): Promise<TrialResult> {
  const { scenario, seed, guard, gates } = options;
  const trial = setUpTrial(options);
  const { clock, processes, checker } = trial;
  const cluster = await startSimulatedCluster({
    seed,
    nodes: scenario.nodes,
    clock,
    componentOverrides: processes.overrides,
    schedulerConfig: { ...defaultSchedulerConfig(defaultFeatureGates), recountsCache: true },
    committed: processes.committed,
    ...(guard !== undefined && { guard }),
    ...(gates !== undefined && { gates: () => gates }),
  });
  trial.attach(cluster);

  const user = { client: cluster.client, random: cluster.random };
  await scenario.prepare(user);
  await cluster.advance(faultlessBeforeMs);
  await runWithFaults(cluster, { ...trial, scenario, user });
  if (checker.violation === undefined) {
    await scenario.finish?.(user);
    const isStable = await cluster.untilStable();
    checker.observe({ kind: "idle" });
    checker.observe({ kind: isStable ? "stable" : "unstable" });
  }
  await cluster.stop();
  return {
    violation: checker.violation,
    faults: trial.injected,
    revisions: cluster.store.revision(),
    virtualMs: clock.now() - cluster.recording.start,
    recording: cluster.recording,
  };
}

type TrialSetup = ReturnType<typeof setUpTrial>;

/** What a trial adds to a simulated cluster: faults, processes that can fail, and the checks. */
function setUpTrial({ scenario, seed, invariants = allInvariants, mutation }: TrialOptions) {
  const random = seededRandom(`${scenario.name} ${seed}`);
  const clock = new VirtualClock();
  const injected: Record<string, number> = {};
  let cluster: SimulatedCluster | undefined;
  const nodeFaults = new NodeFaults();
  const schedule = new FaultSchedule({
    clock,
    random: random.fork("weather"),
    probabilities: drawProbabilities(random.fork("chances")),
    injected(fault, what) {
      injected[fault] = (injected[fault] ?? 0) + 1;
      cluster?.recording.add({ kind: "fault", at: clock.now(), fault, what });
    },
  });
  const conditions = conditionsOf(scenario, random.fork("conditions"));
  // Informers sync before the cluster is attached, while virtual time stands still.
  const latencyMs = () => (cluster === undefined ? 0 : conditions.latencyMs);
  const delayed = latency(clock, random.fork("latency"), latencyMs);
  const faultsOf = (component: string): readonly Interceptor[] => [
    ...(component === "kubelet" ? [nodeFaults.interceptor(() => cluster?.store, schedule)] : []),
    injectRequestFaults(requestFaults, schedule, component),
    injectWatchFaults(watchFaults, { schedule, clock, component }),
  ];
  const checker = new InvariantChecker(invariants, {
    clock,
    conditions,
    store: () => cluster?.store,
    processes: () => processes.running(),
  });
  const processes = new Processes({
    mutation,
    observer(observation) {
      checker.observe(observation);
      // A process that has violated an invariant might loop for ever.
      if (checker.violation !== undefined) for (const { kill } of processes.running()) kill();
    },
    interceptors: (component) => (conditions.hasFaults ? faultsOf(component) : [delayed]),
  });
  const attach = (started: SimulatedCluster) => {
    cluster = started;
    processes.attach(started);
  };
  return { random, clock, injected, conditions, schedule, nodeFaults, checker, processes, attach };
}

function conditionsOf({ latenciesMs }: Scenario, random: Random) {
  return { hasFaults: latenciesMs === undefined, latencyMs: oneOf(latenciesMs ?? [], random) ?? 0 };
}

interface FaultyPeriod extends TrialSetup {
  readonly scenario: Scenario;
  readonly user: User;
}

async function runWithFaults(cluster: SimulatedCluster, trial: FaultyPeriod): Promise<void> {
  const { scenario, user, schedule, checker, processes, conditions } = trial;
  const random = trial.random.fork("storm");
  const context = { ...trial, cluster, random, restartable: scenario.restartable };
  const injector = new ClusterFaultInjector(context, scenario.clusterFaults);
  if (conditions.hasFaults) schedule.start();
  for (let step = 0; step < steps && checker.violation === undefined; step++) {
    for (let count = randomInt(random, 3); count > 0; count--)
      await attempt(oneOf(scenario.userActions, random), user);
    if (conditions.hasFaults) injector.injectSome();
    await cluster.advance(schedule.duration(20, 60_000));
    checker.observe({ kind: "idle" });
  }
  schedule.stop();
  await injector.finished();
  processes.runEachOnce();
}

/** A user does not retry what the API refuses. */
async function attempt(action: UserAction | undefined, user: User): Promise<void> {
  try {
    await action?.(user);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
