/** Gates of Kubernetes for what this server does: suites of operators switch some on, and that changes nothing. */
const alwaysOn: ReadonlySet<string> = new Set([
  "AdmissionWebhookMatchConditions",
  "AggregatedDiscoveryEndpoint",
  "CRDValidationRatcheting",
  "CustomResourceFieldSelectors",
  "CustomResourceValidationExpressions",
  "ElasticIndexedJob",
  "JobBackoffLimitPerIndex",
  "JobManagedBy",
  "JobPodFailurePolicy",
  "JobPodReplacementPolicy",
  "JobSuccessPolicy",
  "MatchLabelKeysInPodTopologySpread",
  "PDBUnhealthyPodEvictionPolicy",
  "PodDisruptionConditions",
  "PodSchedulingReadiness",
  "ServerSideFieldValidation",
  "SidecarContainers",
  "StatefulSetAutoDeletePVC",
  "StatefulSetStartOrdinal",
  "ValidatingAdmissionPolicy",
  "WatchList",
]);

/** What a list of gates asks for. */
export interface WantedGates {
  /** The list without the gates that are always on. */
  readonly others: string;
  /** Why gates that are always on cannot be as wanted. */
  readonly problems: readonly string[];
}

/** Reads, of a list `A=true,B=false`, the gates that are always on. */
export function readAlwaysOnGates(text: string): WantedGates {
  const parts = text.split(",").map((part) => part.trim());
  const ofOurs = parts.filter((part) => !alwaysOn.has(nameIn(part)));
  const problems = parts.flatMap((part) => {
    const name = nameIn(part);
    return !alwaysOn.has(name) || /=\s*(1|t|true)$/i.test(part)
      ? []
      : [`cannot set feature gate ${name} to ${valueIn(part)}, feature is locked to true`];
  });
  return { others: ofOurs.join(","), problems };
}

const nameIn = (part: string) => part.split("=", 1)[0]?.trim() ?? "";
const valueIn = (part: string) => part.slice(part.indexOf("=") + 1).trim();
