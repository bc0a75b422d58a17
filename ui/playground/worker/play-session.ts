import type { FeatureGates } from "../../../src/api/feature-gates.ts";
import type { JsonObject } from "../../../src/api/json.ts";
import { formatMicroTime } from "../../../src/api/time.ts";
import { decisionsEndpoint } from "../../../src/cluster/decisions-endpoint.ts";
import type { Clock } from "../../../src/machinery/clock/clock.ts";
import type { ActionResult, ClusterFacts, PageAction } from "../../../src/page/contract.ts";
import type { SimulatedPicker } from "../../../src/picker/simulated-picker.ts";
import { profileFacts } from "../../../src/scheduler/configuration/profile-facts.ts";
import {
  defaultSchedulerConfig,
  type SchedulerConfig,
} from "../../../src/scheduler/configuration/scheduler-config.ts";
import { schedulerConfigOf } from "../../../src/scheduler/configuration/parse-scheduler-config.ts";
import { readScenarioIn } from "../../../src/simulation/scenario-files/parse-scenario.ts";
import { textsInMemory } from "../../../src/simulation/scenario-files/scenario-files.ts";
import type { ScenarioDocument } from "../../../src/simulation/scenario-files/scenario-document.ts";
import { playEvents } from "../../../src/simulation/scenario-run/play-events.ts";
import { type StartedScenario, startScenario } from "../../../src/simulation/scenario-run/start-scenario.ts";
import { sampleStepMs } from "../../../src/simulation/tracking/time-series.ts";
import { kubectlLine } from "../../../src/user-actions/kubectl-line.ts";
import { performAction } from "../../../src/user-actions/perform-action.ts";
import type { Play, PlayedScenario, PlayedSeries } from "../messages.ts";
import { Pace } from "./pace.ts";
import { PacedClock } from "./paced-clock.ts";
import { type PagePicker, pagePickerHost } from "./page-picker.ts";
import { actionOf, type PlayedEvent, playedTimeText, withEvents } from "./played-events.ts";

/** Thrown for a play whose scenario cannot be read; the message has a line for each mistake. */
export class UnreadablePlay extends Error {}

/** The samples that are kept once a scenario is over: users may go on for long. */
const mostSamples = 720;

/** Of each kind: watches that are cut resume at once, and a tab has less memory than a server. */
const history = { minEvents: 1000, minAgeMs: 0, maxEvents: 1000 };

const fileName = "scenario.yaml";

/** What the cluster of a session runs in. */
export interface SessionHost {
  readonly wall: Clock;
  readonly picker: PagePicker;
  /** Called when time passes otherwise than before. */
  readonly changed: () => void;
}

interface SessionParts {
  readonly clock: PacedClock;
  readonly wall: Clock;
  readonly pace: Pace;
  readonly text: string;
  /** Whether pickers hang. */
  readonly hanging: { isOn: boolean };
}

/** Longer than any picker is waited for. */
const hangMs = 3_600_000;

/** A picker that hangs while it is told to. */
const hangable =
  (hanging: { readonly isOn: boolean }) =>
  (picker: SimulatedPicker): SimulatedPicker => ({
    pick: (question, now) => picker.pick(question, now),
    latencyMs(now) {
      const { latencyMs = 0 } = picker;
      if (hanging.isOn) return hangMs;
      return typeof latencyMs === "number" ? latencyMs : latencyMs(now);
    },
  });

/** A cluster that plays a scenario at the pace of its reader. */
export class PlaySession {
  readonly started: StartedScenario;
  readonly clock: PacedClock;
  /** Time as the reader of the page feels it. */
  readonly wall: Clock;
  readonly pace: Pace;
  readonly debug: ReturnType<typeof decisionsEndpoint>;
  readonly #scenario: ScenarioDocument;
  readonly #text: string;
  readonly #played: PlayedEvent[] = [];
  readonly #missing = new Set<string>();
  readonly #hanging: { isOn: boolean };
  #forgotten = 0;
  readonly #ended = new AbortController();

  private constructor(
    scenario: ScenarioDocument,
    started: StartedScenario,
    { clock, wall, pace, text, hanging }: SessionParts,
  ) {
    this.#hanging = hanging;
    this.#scenario = scenario;
    this.#text = text;
    this.started = started;
    this.clock = clock;
    this.wall = wall;
    this.pace = pace;
    this.debug = decisionsEndpoint(started.cluster.decisions);
  }

  /** Starts the cluster; throws `UnreadablePlay`. */
  static async start(play: Play, { wall, picker, changed }: SessionHost): Promise<PlaySession> {
    const read = readScenarioIn(textsInMemory({ ...play.files, [fileName]: play.scenario }), fileName);
    if (!read.ok) throw new UnreadablePlay(read.problems.join("\n"));
    const hanging = { isOn: false };
    const made: { clock?: PacedClock; decisions: number } = { decisions: 0 };
    const started = await startScenario(read.scenario, {
      seed: play.seed,
      withoutSeries: true,
      cluster: { history },
      newClock: (from) => (made.clock = new PacedClock(from)),
      pickers: new Map([[pagePickerHost, picker]]),
      wrapPicker: hangable(hanging),
      // A Pod gets its node, or is chosen to go.
      podChanged(change, removal) {
        if (removal !== undefined || change.kind === "bound") made.decisions++;
      },
    });
    const clock = made.clock ?? new PacedClock();
    picker.hold = (work) => clock.hold(work);
    const moments = play.moments.map((seconds) => seconds * 1000);
    const pace = new Pace({ clock, wall, moments, decisions: () => made.decisions, changed });
    const session = new PlaySession(read.scenario, started, {
      clock,
      wall,
      pace,
      text: play.scenario,
      hanging,
    });
    void session.#play();
    void pace.run(session.#ended.signal);
    return session;
  }

  /** Plays the scenario, and lets time run past its end. */
  async #play(): Promise<void> {
    await playEvents(this.started);
    const { tracker, busy, sampler } = this.started.run;
    while (!this.#ended.signal.aborted) {
      await this.clock.runUntil(this.clock.now() + this.#sampleMs);
      sampler.sample({ tracker, busy, loads: undefined, now: this.clock.now() });
      // Seldom, and many at once: their lists are moved.
      if (sampler.samples < 2 * mostSamples) continue;
      sampler.forgetFirst(mostSamples);
      this.#forgotten += mostSamples;
    }
  }

  /** How the workloads changed over time. */
  series(): PlayedSeries {
    const stepSeconds = this.#sampleMs / 1000;
    const fromSeconds = this.#forgotten * stepSeconds;
    return { ...this.started.run.sampler.result(this.#sampleMs), fromSeconds };
  }

  get #sampleMs(): number {
    return sampleStepMs(this.started.run.durationMs);
  }

  /** Lets the pickers of this cluster hang, or answer again. */
  hangPickers(isOn: boolean): void {
    this.#hanging.isOn = isOn;
    this.miss("pod pickers that hung");
  }

  /** How its scheduler is configured. */
  get schedulerConfig(): SchedulerConfig {
    const { gates } = this.started.run;
    const read = this.#scenario.scheduler && schedulerConfigOf(this.#scenario.scheduler, { gates });
    return read?.ok === true ? read.config : defaultSchedulerConfig(gates);
  }

  facts(): ClusterFacts {
    const { run } = this.started;
    const { speed, paused, now } = this.pace.state;
    return {
      mode: "embedded",
      name: "trimtab",
      server: "this page",
      version: "",
      pageVersion: "",
      writes: true,
      records: ["decisions", "placements"],
      removalProfile: "trimtab",
      featureGates: run.gates,
      schedulerProfiles: profileFacts(this.schedulerConfig),
      time: { now: formatMicroTime(now), speed, paused },
    };
  }

  async act(action: PageAction, signal: AbortSignal): Promise<ActionResult> {
    const { client } = this.started.cluster;
    const outcome = await performAction(action, { client, clock: this.clock, signal });
    this.record(actionOf(action));
    return { kubectl: kubectlLine(action), ...outcome };
  }

  /** Switches feature gates, from now on. */
  switchGates(gates: Partial<FeatureGates>): void {
    this.started.context.setGates(gates);
    this.record({ featureGates: gates });
  }

  /** Ends every watch of the API server; returns how many there were. */
  cutWatches(): number {
    this.miss("watches that were cut");
    return this.started.cluster.api.context.openWatches.endAll();
  }

  /** Takes note of what a reader has done just now, as what an event does. */
  record(done: JsonObject): void {
    this.#played.push({ at: playedTimeText(this.pace.state.passedMs), ...done });
  }

  /** Takes note of something that no event says. */
  miss(what: string): void {
    this.#missing.add(what);
  }

  /** The scenario with what was done by hand, for others to play. */
  scenario(): PlayedScenario {
    return { text: withEvents(this.#text, this.#played), missing: [...this.#missing] };
  }

  /** Lets no more time pass. */
  end(): void {
    this.#ended.abort(new Error("the play is over"));
  }
}
