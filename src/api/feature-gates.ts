/**
 * Every feature gate. All but the last three are on by default: one is off in Kubernetes too, one changes an order that
 * users know, and one lets every user who may label Pods delay a scale-down.
 */
const defaults = {
  DownscalePodPicker: true,
  PreferForScaleDownLabel: true,
  DeploymentPodReplacementPolicy: true,
  DeploymentReplicaSetTerminatingReplicas: true,
  PodDeletionCost: true,
  LogarithmicScaleDown: true,
  DefaultPodTopologySpread: true,
  MaxUnavailableStatefulSet: false,
  TopologyAwareScaleDown: false,
  PodRemovalProtection: false,
};

export type FeatureGate = keyof typeof defaults;
export type FeatureGates = Readonly<Record<FeatureGate, boolean>>;

/** The defaults in embedded and simulated clusters. */
export const defaultFeatureGates: FeatureGates = defaults;

/**
 * The defaults against an external API server: a picker lets users who edit workloads make the controller send
 * requests, so the operator has to enable it there.
 */
export const externalClusterFeatureGates: FeatureGates = { ...defaults, DownscalePodPicker: false };

const known = Object.keys(defaults).sort();

/** The spellings that Kubernetes' `--feature-gates` accepts. */
const switches: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "true", "True", "TRUE"].map((text) => [text, true] as const),
  ...["0", "f", "F", "false", "False", "FALSE"].map((text) => [text, false] as const),
]);

function isFeatureGate(name: string): name is FeatureGate {
  return known.includes(name);
}

export type ParsedFeatureGates =
  | { readonly ok: true; readonly gates: FeatureGates }
  | { readonly ok: false; readonly errors: readonly string[] };

/** Reads `A=true,B=false` on top of a base; reports all errors, not only the first. */
export function parseFeatureGates(
  text: string,
  base: FeatureGates = defaultFeatureGates,
): ParsedFeatureGates {
  const errors: string[] = [];
  const chosen: Partial<Record<FeatureGate, boolean>> = {};
  for (const part of text.split(",").map((piece) => piece.trim())) {
    if (part === "") continue;
    const [name = "", ...rest] = part.split("=").map((piece) => piece.trim());
    const value = rest.join("=");
    const on = switches.get(value);
    if (!isFeatureGate(name)) errors.push(`unrecognized feature gate: ${name} (known: ${known.join(", ")})`);
    else if (on === undefined)
      errors.push(`feature gate ${name}: must be true or false, not ${JSON.stringify(value)}`);
    else chosen[name] = on;
  }
  const gates = switchDependants({ ...base, ...chosen }, chosen, errors);
  return errors.length > 0 ? { ok: false, errors } : { ok: true, gates };
}

/** The replacement policy needs the count of terminating Pods: without the one gate, the other is off. */
function switchDependants(
  gates: FeatureGates,
  chosen: Partial<FeatureGates>,
  errors: string[],
): FeatureGates {
  if (gates.DeploymentReplicaSetTerminatingReplicas || !gates.DeploymentPodReplacementPolicy) return gates;
  if (chosen.DeploymentPodReplacementPolicy === true) {
    errors.push(
      "DeploymentPodReplacementPolicy=true needs DeploymentReplicaSetTerminatingReplicas, which is off",
    );
  }
  return { ...gates, DeploymentPodReplacementPolicy: false };
}
