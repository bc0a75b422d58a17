import { dns1123LabelProblems } from "../../names.ts";

interface Named {
  readonly metadata?: { readonly name?: string };
}

/** Warns, at creation, of a name that its Pods cannot all have as a hostname. */
export function nameWarning(object: Named, stored: Named | undefined): readonly string[] {
  const problems = stored === undefined ? dns1123LabelProblems(object.metadata?.name ?? "") : [];
  if (problems.length === 0) return [];
  const effect = "this is used in Pod names and hostnames, which can result in surprising behavior";
  return [`metadata.name: ${effect}; a DNS label is recommended: [${problems.join(" ")}]`];
}
