import { nearestName } from "../../api/nearest-name.ts";

/** The variable that adds to the API server what envtest never had. */
export const envtestVariable = "TRIMTAB_ENVTEST";

/** What kube-apiserver does itself, although it is a component here. */
const ofApiServer: readonly string[] = ["apiservice-registration", "apiservice-availability"];

/** What can be added, by its name in the variable; `all` adds everything. */
const additions: ReadonlyMap<string, readonly string[]> = new Map([
  ["gc", ["garbage-collector"]],
  ["namespaces", ["namespace"]],
]);
const everything = "all";
const names = [...additions.keys(), everything];

/** How many nodes there are with everything: one in each of the zones `a`, `b` and `c`. */
const nodesOfAll = 3;

/** Which components run beside the API server, and how many nodes there are. */
export type EnvtestComponents =
  | { readonly ok: true; readonly nodes: number; readonly runs: (component: string) => boolean }
  | { readonly ok: false; readonly problem: string };

/** Reads the variable: a list of names, separated by commas; empty: the API server alone, as in envtest. */
export function readEnvtestComponents(text = ""): EnvtestComponents {
  const wanted = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) return { ok: false, problem: unknownName(unknown) };
  if (wanted.includes(everything)) return { ok: true, nodes: nodesOfAll, runs: () => true };
  const running = new Set([...ofApiServer, ...wanted.flatMap((name) => additions.get(name) ?? [])]);
  return { ok: true, nodes: 0, runs: (component) => running.has(component) };
}

function unknownName(name: string): string {
  const meant = nearestName(name, names);
  const advice = meant === undefined ? `one of ${names.join(", ")} is expected` : `did you mean ${meant}?`;
  return `${envtestVariable}: ${JSON.stringify(name)} is unknown; ${advice}`;
}
