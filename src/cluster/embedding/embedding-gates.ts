import { defaultFeatureGates, type FeatureGates, parseFeatureGates } from "../../api/feature-gates.ts";
import type { ClusterGates, GatedComponent } from "../cluster-options.ts";
import { isObject, unknownNames } from "./option-problems.ts";

/** The gates of one program: those that differ from the defaults, or a function that is called at every decision. */
export type GateChoice = Partial<FeatureGates> | (() => FeatureGates);

/** Feature gates of all components, and of single ones on top of those. */
export type EmbeddedGates = Readonly<Partial<Record<"all" | "apiServer" | GatedComponent, GateChoice>>>;

const gated = {
  all: true,
  apiServer: true,
  deployment: true,
  replicaset: true,
  replicationmanager: true,
  scheduler: true,
} satisfies Record<keyof EmbeddedGates, true>;

/** Every mistake in the gates, one sentence each. */
export function gateProblems(gates: EmbeddedGates | undefined): readonly string[] {
  if (gates === undefined) return [];
  if (!isObject(gates)) return ["gates must be an object with components"];
  const common = isGates(gates.all) ? parseFeatureGates(gatesText(gates.all)) : undefined;
  const base = common?.ok === true ? common.gates : defaultFeatureGates;
  return [
    ...unknownNames(gates, Object.keys(gated), "component in gates"),
    ...Object.entries(gates).flatMap(([component, choice]) => {
      if (typeof choice === "function" || choice === undefined) return [];
      if (!isGates(choice)) return [`gates.${component} must be an object with gates, or a function`];
      const parsed = parseFeatureGates(gatesText(choice), component === "all" ? defaultFeatureGates : base);
      return parsed.ok ? [] : parsed.errors.map((error) => `gates.${component}: ${error}`);
    }),
  ];
}

const isGates = (choice: unknown): choice is Partial<FeatureGates> => isObject(choice);

const gatesText = (choice: Partial<FeatureGates>): string =>
  Object.entries(choice)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join();

/** The gates as a cluster takes them; those of single components on top of those of all. */
export function clusterGates({ all = {}, apiServer, ...components }: EmbeddedGates) {
  const common = typeof all === "function" ? all : constant(all, defaultFeatureGates);
  const on = (choice: GateChoice | undefined): (() => FeatureGates) => {
    if (choice === undefined) return common;
    return typeof choice === "function" ? choice : constant(choice, common());
  };
  const own = Object.entries(components).map(([name, choice]) => [name, on(choice)] as const);
  return {
    apiServer: on(apiServer),
    controllers: common,
    components: Object.fromEntries(own),
  } satisfies ClusterGates;
}

function constant(choice: Partial<FeatureGates>, base: FeatureGates): () => FeatureGates {
  const parsed = parseFeatureGates(gatesText(choice), base);
  const gates = parsed.ok ? parsed.gates : base; // refused before
  return () => gates;
}
