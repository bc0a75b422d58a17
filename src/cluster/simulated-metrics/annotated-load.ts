import { fieldErrorsText } from "../../api/field-error.ts";
import type { Load } from "../../api/load/load.ts";
import { readLoad } from "../../api/load/read-load.ts";
import { readYaml } from "../apiserver/decoding/read-yaml.ts";
import { simulationPrefix } from "../kubelet/behaviour/simulation-prefix.ts";

/** The annotation with the simulated load of a workload, a Pod, or another object that metrics are about. */
export const loadAnnotation = `${simulationPrefix}load`;

/** The annotation with a Pod's weight, where load is distributed by it. */
export const loadWeightAnnotation = `${simulationPrefix}loadWeight`;

/** A load, or a sentence that says what is wrong with it and where. */
export type AnnotatedLoad = { readonly load: Load } | { readonly problem: string };

/** Caches loads by text: all Pods of a workload have the same text, and each is read every 15 seconds. */
const read = new Map<string, AnnotatedLoad>();
const mostRead = 1000;

/** Reads the text of the annotation, which is YAML or JSON. */
export function readAnnotatedLoad(text: string): AnnotatedLoad {
  const known = read.get(text);
  if (known !== undefined) return known;
  const result = newLoad(text);
  if (read.size >= mostRead) read.clear();
  read.set(text, result);
  return result;
}

function newLoad(text: string): AnnotatedLoad {
  const document = readYaml(text, "single");
  if (!document.ok) return { problem: document.error };
  if (document.duplicates.length > 0) return { problem: document.duplicates.join("; ") };
  const result = readLoad(document.value);
  return result.ok ? { load: result.load } : { problem: fieldErrorsText(result.errors) };
}
