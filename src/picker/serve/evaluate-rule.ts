import { Deadline } from "../../machinery/client/http/deadline.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { PickerRule } from "./configuration/picker-rule.ts";
import { ruleProtects } from "./configuration/protect-rule.ts";
import {
  type Reading,
  type ReadSource,
  type SourceFailure,
  type SourceQuestion,
  unreadable,
} from "./sources/source.ts";

/** What a rule says about one Pod. */
export interface PodScore {
  readonly pod: string;
  /** What the source says; absent: nothing. */
  readonly number?: number | undefined;
  /** Why the source says nothing, if that is a failure. */
  readonly failure?: SourceFailure | undefined;
  /** What the Pod counts as: the lowest goes first. */
  readonly score: number;
  readonly isProtected: boolean;
}

export interface RuleDependencies {
  readonly clock: Clock;
  readonly log: Logger;
}

/** A rule with its source. Each has its own limits, so that a slow source delays no other workload. */
export interface RuleSource {
  readonly rule: PickerRule;
  readonly read: ReadSource;
}

/** How many questions a source answers at a time: more are answered at once, without numbers. */
const maxQuestions = 16;

/** Answers the questions of one rule. */
export class RuleEvaluator {
  readonly rule: PickerRule;
  readonly #read: ReadSource;
  readonly #dependencies: RuleDependencies;
  #inFlight = 0;

  constructor({ rule, read }: RuleSource, dependencies: RuleDependencies) {
    this.rule = rule;
    this.#read = read;
    this.#dependencies = dependencies;
  }

  /** Scores each Pod of a question; never rejects. */
  async evaluate(question: SourceQuestion): Promise<readonly PodScore[]> {
    const { numbers, failures } = await this.#reading(question);
    return question.pods.map((pod) => scoreOf(pod, this.rule, numbers.get(pod) ?? failures.get(pod)));
  }

  async #reading(question: SourceQuestion): Promise<Reading> {
    if (this.#inFlight >= maxQuestions) return unreadable(question, { class: "Busy" });
    const { clock, log } = this.#dependencies;
    const { timeoutMs, name } = this.rule;
    const deadline = new Deadline({ clock, timeoutMs, parent: question.signal, missed: "no numbers" });
    this.#inFlight += 1;
    try {
      return await this.#read({ ...question, signal: deadline.signal });
    } catch (error) {
      // The boundary to a source: a mistake in it is a failure of this rule, and no answer of the server.
      log.error("source failed", { picker: name, error });
      return unreadable(question, { class: "Failed" });
    } finally {
      deadline.release();
      this.#inFlight -= 1;
    }
  }
}

function scoreOf(pod: string, rule: PickerRule, found: number | SourceFailure | undefined): PodScore {
  if (typeof found === "object")
    return { pod, failure: found, score: rule.missing, isProtected: rule.onError === "protect" };
  const score = found ?? rule.missing;
  const isProtected =
    rule.protect !== undefined && Number.isFinite(score) && ruleProtects(rule.protect, score);
  return { pod, number: found, score, isProtected };
}
