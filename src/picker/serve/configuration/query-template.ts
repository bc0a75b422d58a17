import { nearestName } from "../../../api/nearest-name.ts";

/** What a query may contain, and what takes its place. */
export interface QueryVariables {
  readonly namespace: string;
  readonly workload: string;
  readonly pods: readonly string[];
}

const names = ["namespace", "workload", "pods"] as const;
const variable = /\$([A-Za-z_]\w*)/g;

/** What is wrong with the variables of a query, one sentence each. */
export function queryProblems(query: string): readonly string[] {
  const unknown = [...query.matchAll(variable)]
    .map(([, name = ""]) => name)
    .filter((name) => !names.some((known) => known === name));
  return [...new Set(unknown)].map((name) => {
    const meant = nearestName(name, names);
    const hint = meant === undefined ? `there are $${names.join(", $")}` : `did you mean $${meant}?`;
    return `there is no variable $${name}; ${hint}`;
  });
}

/**
 * The query for one question. `$pods` is an expression that matches these names and no others: `pod=~"$pods"`. The names are
 * those of objects in Kubernetes, so none of them ends a text of the query.
 */
export function fillQuery(query: string, { namespace, workload, pods }: QueryVariables): string {
  const values = { namespace, workload, pods: pods.map((pod) => pod.replaceAll(".", "[.]")).join("|") };
  return query.replaceAll(variable, (all, name: string) =>
    Object.hasOwn(values, name) ? values[name as keyof typeof values] : all,
  );
}
