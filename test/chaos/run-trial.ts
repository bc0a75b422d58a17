import type { FeatureGates } from "../../src/api/feature-gates.ts";
import { ApiError } from "../../src/machinery/client/api-error.ts";
import type { Interceptor } from "../../src/machinery/client/intercept-client.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { oneOf, type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { ClusterFaultInjector } from "../../src/simulation/faults/cluster-faults.ts";
import { drawProbabilities } from "../../src/simulation/faults/draw-probabilities.ts";
import {
  type DiskConditions,
  goodConditions,
  openSimulatedDisk,
  type SimulatedDiskOptions,
} from "../../src/simulation/disk/simulated-disk.ts";
import { SimulatedMedium } from "../../src/simulation/disk/simulated-medium.ts";
import { FaultSchedule } from "../../src/simulation/faults/fault-schedule.ts";
import { latency } from "../../src/simulation/faults/latency.ts";
import { NodeFaults } from "../../src/simulation/faults/node-faults.ts";
import { injectRequestFaults, requestFaults } from "../../src/simulation/faults/request-faults.ts";
import { injectWatchFaults, watchFaults } from "../../src/simulation/faults/watch-faults.ts";
import { InvariantChecker, type Violation } from "./invariants/invariant-checker.ts";
import type { Invariant } from "./invariants/invariant.ts";
import { invariants as allInvariants } from "./invariants/invariants.ts";
import { Processes } from "../../src/simulation/processes.ts";
import type { ComponentOverrides } from "../../src/cluster/component-starter.ts";
import type { Recording } from "../../src/simulation/recording/recording.ts";
import { performAction } from "../../src/user-actions/perform-action.ts";
import { recountCaches } from "../scheduler/recounted-caches.ts";
import type { Mutation } from "./mutations.ts";
import type { Scenario, User, UserStep } from "./scenarios/scenario.ts";
import {
  type SimulatedCluster,
  type SimulatedClusterOptions,
  startSimulatedCluster,
} from "../../src/simulation/simulated-cluster.ts";

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
  const undos = [recountCaches(), options.mutation?.install?.()];
  try {
    return await runSteps(options);
  } finally {
    for (const undo of undos) undo?.();
  }
}

async function runSteps(options: TrialOptions): Promise<TrialResult> {
  const { scenario, seed, guard, gates } = options;
  const trial = setUpTrial(options);
  const { clock, processes, checker } = trial;
  const cluster = await startSimulatedCluster({
    seed,
    nodes: scenario.nodes,
    clock,
    componentOverrides: (component, shared) =>
      processes.overrides(component, mutated(shared, component, options.mutation)),
    committed: processes.committed,
    ...(trial.disk !== undefined && { disk: openSimulatedDisk(diskOptions(trial, trial.disk)) }),
    ...(guard !== undefined && { guard }),
    ...(gates !== undefined && { gates: () => gates }),
  });
  trial.attach(cluster);

  const { client, random } = cluster;
  const user: User = { client, random, perform: (action) => performAction(action, { client, clock }) };
  await trial.answered(scenario.prepare(user));
  await cluster.advance(faultlessBeforeMs);
  await runWithFaults(cluster, { ...trial, scenario, user });
  if (checker.violation === undefined) {
    if (scenario.finish !== undefined) await trial.answered(scenario.finish(user));
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

function mutated(
  shared: ComponentOverrides,
  component: string,
  { client, controller }: Mutation = {},
): ComponentOverrides {
  return {
    ...shared,
    client: client?.(shared.client, component) ?? shared.client,
    intercept: controller ?? shared.intercept,
  };
}

type TrialSetup = ReturnType<typeof setUpTrial>;

/** What a trial adds to a simulated cluster: faults, processes that can fail, and the checks. */
function setUpTrial({ scenario, seed, invariants = allInvariants }: TrialOptions) {
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
  const disk = scenario.hasDisk === true ? { ...goodConditions(), flushMs: 5 } : undefined;
  // Without a disk answers take no time; with one, time has to pass for them.
  const answered = <T>(work: Promise<T>) => (disk === undefined ? work : clock.runUntilSettled(work));
  return {
    random,
    clock,
    injected,
    conditions,
    schedule,
    nodeFaults,
    checker,
    processes,
    attach,
    disk,
    answered,
  };
}

function diskOptions({ clock, random }: TrialSetup, conditions: DiskConditions): SimulatedDiskOptions {
  return { medium: new SimulatedMedium(), clock, random: random.fork("disk"), conditions };
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
      await trial.answered(attempt(oneOf(scenario.steps, random), user));
    if (conditions.hasFaults) injector.injectSome();
    await cluster.advance(schedule.duration(20, 60_000));
    checker.observe({ kind: "idle" });
  }
  schedule.stop();
  await trial.answered(injector.finished());
  processes.runEachOnce();
}

/** A user does not retry what the API refuses. */
async function attempt(step: UserStep | undefined, user: User): Promise<void> {
  try {
    await step?.(user);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
