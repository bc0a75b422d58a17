/** Every switch of the product. All are on: they are what it is for. */
const defaults = {
  DownscalePodPicker: true,
  PreferForScaleDownLabel: true,
  DeploymentPodReplacementPolicy: true,
  DeploymentReplicaSetTerminatingReplicas: true,
  PodDeletionCost: true,
  LogarithmicScaleDown: true,
  DefaultPodTopologySpread: true,
};

export type FeatureGate = keyof typeof defaults;
export type FeatureGates = Readonly<Record<FeatureGate, boolean>>;

/** The gates of the embedded and simulated worlds. */
export const defaultFeatureGates: FeatureGates = defaults;

/**
 * The gates against an API server that is not ours: a picker lets whoever edits a workload make the controller
 * send requests, so there the operator has to ask for it.
 */
export const foreignClusterFeatureGates: FeatureGates = { ...defaults, DownscalePodPicker: false };

const known = Object.keys(defaults).sort();

function isFeatureGate(name: string): name is FeatureGate {
  return known.includes(name);
}

export type ParsedFeatureGates =
  | { readonly ok: true; readonly gates: FeatureGates }
  | { readonly ok: false; readonly errors: readonly string[] };

/** Reads `A=true,B=false` on top of a base; every mistake is reported, not only the first. */
export function parseFeatureGates(
  text: string,
  base: FeatureGates = defaultFeatureGates,
): ParsedFeatureGates {
  const errors: string[] = [];
  const chosen: Partial<Record<FeatureGate, boolean>> = {};
  for (const part of text.split(",").map((piece) => piece.trim())) {
    if (part === "") continue;
    const [name = "", value] = part.split("=", 2).map((piece) => piece.trim());
    if (!isFeatureGate(name)) errors.push(`unrecognized feature gate: ${name} (known: ${known.join(", ")})`);
    else if (value !== "true" && value !== "false")
      errors.push(`feature gate ${name}: must be true or false, not ${JSON.stringify(value ?? "")}`);
    else chosen[name] = value === "true";
  }
  const gates = switchDependants({ ...base, ...chosen }, chosen, errors);
  return errors.length > 0 ? { ok: false, errors } : { ok: true, gates };
}

/** Without counts of terminating Pods the replacement policy cannot work: the first off switches the second off. */
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
