import type { PodMetricsSource } from "../configuration/score-schemas.ts";
import { type AskPodsDependencies, podSource } from "./ask-pods.ts";
import { sumOfSamples } from "./prometheus-text.ts";
import type { ReadSource } from "./source.ts";

/** Scrapes the metrics of each Pod. */
export function podMetricsSource(source: PodMetricsSource, dependencies: AskPodsDependencies): ReadSource {
  const { path = "/metrics", metric, labels = {} } = source;
  return podSource(
    {
      endpoint: source,
      path,
      accept: "text/plain;version=0.0.4",
      read(text) {
        const sum = sumOfSamples(text, { metric, labels });
        return sum === "malformed"
          ? { class: "Malformed", detail: "it is not the text format of Prometheus" }
          : sum;
      },
    },
    dependencies,
  );
}
