import { type FeatureGates, parseFeatureGates } from "../../api/feature-gates.ts";
import type { ClusterGates, GatedComponent } from "../../cluster/cluster-options.ts";
import type { Flags, Invocation } from "../command.ts";
import { flagText } from "../flags/flag-values.ts";

const apiServer = "api-server";
const components: readonly GatedComponent[] = [
  "deployment",
  "replicaset",
  "replicationmanager",
  "statefulset",
  "scheduler",
];
const known: readonly string[] = [apiServer, ...components];

/** The flag that gives single components other feature gates. */
export const componentGatesFlags: Flags = {
  "component-feature-gates": {
    type: "string",
    multiple: true,
    value: "COMPONENT:A=true,B=false",
    help: `Feature gates of one component (${known.join(", ")}), on top of --feature-gates; may be repeated`,
  },
};

export type ReadGates =
  | { readonly ok: true; readonly gates: ClusterGates }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the feature gates of the cluster and of its components; returns all errors, one sentence each. */
export function readComponentGates(flags: Invocation["flags"]): ReadGates {
  const common = parseFeatureGates(flagText(flags, "feature-gates"));
  if (!common.ok) return { ok: false, problems: common.errors };
  const own = new Map<string, FeatureGates>();
  const problems: string[] = [];
  const given = flags["component-feature-gates"];
  for (const value of Array.isArray(given) ? given : []) {
    const [component, text] = splitOnce(String(value));
    const parsed = parseFeatureGates(text, own.get(component) ?? common.gates);
    if (!known.includes(component)) problems.push(unknownComponent(String(value)));
    else if (!parsed.ok) problems.push(...parsed.errors.map((error) => `${component}: ${error}`));
    else own.set(component, parsed.gates);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, gates: gatesOf(common.gates, own) };
}

const unknownComponent = (value: string) =>
  `--component-feature-gates ${JSON.stringify(value)}: must begin with one of ${known.join(", ")} and a colon`;

function gatesOf(common: FeatureGates, own: ReadonlyMap<string, FeatureGates>): ClusterGates {
  const single = components.flatMap((name) => {
    const gates = own.get(name);
    return gates === undefined ? [] : [[name, () => gates] as const];
  });
  return {
    apiServer: () => own.get(apiServer) ?? common,
    controllers: () => common,
    components: Object.fromEntries(single),
  };
}

/** The component is empty where there is no colon. */
function splitOnce(text: string): readonly [string, string] {
  const colon = text.indexOf(":");
  return [text.slice(0, Math.max(colon, 0)).trim(), text.slice(colon + 1)];
}
