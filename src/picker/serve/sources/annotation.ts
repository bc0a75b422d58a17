import type { AnnotationSource } from "../configuration/score-schemas.ts";
import type { WorkloadPods } from "../workload-pods.ts";
import { type PodNumber, type ReadSource, readingOf } from "./source.ts";

/** Reads a number that the application keeps on its Pod. */
export function annotationSource({ key }: AnnotationSource, pods: WorkloadPods): ReadSource {
  return (question) => {
    const found = pods.find(question);
    const numberOf = (name: string): PodNumber => {
      const pod = found.get(name);
      if (pod === undefined) return { class: "PodUnknown" };
      const text = pod.metadata.annotations?.[key]?.trim();
      if (text === undefined) return undefined;
      return text === "" ? Number.NaN : Number(text);
    };
    return Promise.resolve(readingOf(question.pods.map((pod) => [pod, numberOf(pod)])));
  };
}
