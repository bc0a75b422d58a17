import { matchesLabels } from "../../api/labels/label-selector.ts";
import { type Clock, elapsedMs } from "../../machinery/clock/clock.ts";
import type { PickRequest, PodChoice } from "../kit/pick-request.ts";
import type { PickerRule } from "./configuration/picker-rule.ts";
import type { RuleEvaluator } from "./evaluate-rule.ts";
import { removalRanks } from "./removal-ranks.ts";
import type { SourceEvents } from "./serve-events.ts";
import type { ServeMetrics } from "./serve-metrics.ts";
import type { AskedWorkload, WorkloadPods } from "./workload-pods.ts";

export interface ServedPickersOptions {
  readonly evaluators: readonly RuleEvaluator[];
  readonly pods: WorkloadPods;
  readonly clock: Clock;
  readonly metrics: ServeMetrics;
  readonly events: SourceEvents;
}

/** Answers the questions of many workloads, each by the first rule that is for it. */
export class ServedPickers {
  readonly #options: ServedPickersOptions;

  constructor(options: ServedPickersOptions) {
    this.#options = options;
  }

  /** Answers a question of the kit. Without numbers all Pods are equal, and the normal order decides. */
  async pick(request: PickRequest): Promise<PodChoice> {
    const asked = askedOf(request);
    const evaluator = asked && this.evaluatorFor(asked);
    if (asked === undefined || evaluator === undefined) {
      this.#options.metrics.unknownWorkload();
      if (asked !== undefined) this.#options.events.unknown(asked);
      return { chosen: [] };
    }
    const { clock, metrics, events } = this.#options;
    const from = elapsedMs(clock);
    const { candidates, signal } = request;
    const scores = await evaluator.evaluate({ ...asked, pods: candidates, signal });
    metrics.answered(evaluator.rule.name, scores, elapsedMs(clock) - from);
    events.failed(evaluator.rule, asked, scores);
    const ranks = removalRanks(scores);
    const choice = request.lowest((pod) => ranks.get(pod) ?? Infinity);
    const held = scores.filter(({ isProtected }) => isProtected).map(({ pod }) => pod);
    return held.length === 0 ? choice : { ...choice, protected: request.only(held) };
  }

  get rules(): readonly PickerRule[] {
    return this.#options.evaluators.map(({ rule }) => rule);
  }

  /** The first rule that is for a workload. */
  evaluatorFor(asked: AskedWorkload): RuleEvaluator | undefined {
    return this.#options.evaluators.find(({ rule }) => isMeant(rule, asked, this.#options.pods));
  }
}

function askedOf({ namespace, workload }: PickRequest): AskedWorkload | undefined {
  return namespace === undefined || workload === undefined ? undefined : { namespace, workload };
}

function isMeant({ meant }: PickerRule, asked: AskedWorkload, pods: WorkloadPods): boolean {
  const { namespace, workload } = asked;
  if (meant.by === "name")
    return meant.namespace === namespace && meant.kind === workload.kind && meant.name === workload.name;
  if (meant.namespaces?.includes(namespace) === false) return false;
  const found = pods.workload(asked);
  return found !== undefined && matchesLabels(meant.selection, found.metadata.labels);
}
