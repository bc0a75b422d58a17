import type { Client } from "../../machinery/client/client.ts";
import type { Lookup } from "../addresses/lookup.ts";
import type { PickerRule } from "./configuration/picker-rule.ts";
import type { RuleSource } from "./evaluate-rule.ts";
import { annotationSource } from "./sources/annotation.ts";
import type { AskPodsDependencies } from "./sources/ask-pods.ts";
import { customMetricsSource, resourceMetricsSource } from "./sources/metrics-apis.ts";
import { podHttpSource } from "./sources/pod-http.ts";
import { podMetricsSource } from "./sources/pod-metrics.ts";
import { prometheusSource } from "./sources/prometheus.ts";
import { type ReadSource, readingOf } from "./sources/source.ts";

export interface SourceDependencies extends AskPodsDependencies {
  readonly client: Client;
  readonly lookup: Lookup;
}

/** A rule with the source that its `score` names. */
export function ruleSource(rule: PickerRule, dependencies: SourceDependencies): RuleSource {
  return { rule, read: sourceOf(rule, dependencies) };
}

function sourceOf({ score }: PickerRule, dependencies: SourceDependencies): ReadSource {
  if (score.prometheus !== undefined) return prometheusSource(score.prometheus, dependencies.lookup);
  if (score.podMetrics !== undefined) return podMetricsSource(score.podMetrics, dependencies);
  if (score.podHttp !== undefined) return podHttpSource(score.podHttp, dependencies);
  if (score.resourceMetrics !== undefined) return resourceMetricsSource(score.resourceMetrics, dependencies);
  if (score.customMetrics !== undefined) return customMetricsSource(score.customMetrics, dependencies);
  if (score.annotation !== undefined) return annotationSource(score.annotation, dependencies.pods);
  return () => Promise.resolve(readingOf([])); // the schema asks for one of them
}

/** Whether a rule needs a copy of the workloads and their Pods. */
export function needsPods({ meant, score }: PickerRule): boolean {
  return meant.by === "labels" || score.prometheus === undefined;
}
