import type { DaemonSet, DaemonSetSpec, DaemonSetStatus } from "../api/generated/apps-v1.ts";
import type { PodSpec } from "../api/generated/core-v1.ts";
import { podTemplate } from "./deployment.ts";
import { type MetadataTraits, storedMetadata } from "./stored-metadata.ts";

/** What a test may want to be different about a DaemonSet; times are RFC 3339. */
export interface DaemonSetTraits extends MetadataTraits {
  readonly image?: string;
  /** Whatever else the spec of its Pods should have. */
  readonly podSpec?: Partial<PodSpec>;
  readonly strategy?: "RollingUpdate" | "OnDelete";
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly selector?: DaemonSetSpec["selector"];
  readonly status?: DaemonSetStatus;
}

/** A DaemonSet as the API server stores it: it replaces the Pod of one node at a time, but for the traits given. */
export function daemonSet(name: string, traits: DaemonSetTraits = {}): DaemonSet {
  const template = podTemplate(traits.image);
  const { containers = [], ...spec } = template.spec ?? {};
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: storedMetadata(name, traits),
    spec: {
      selector: traits.selector ?? { matchLabels: { app: "web" } },
      template: { ...template, spec: { containers, ...spec, ...traits.podSpec } },
      updateStrategy: strategyOf(traits),
      revisionHistoryLimit: traits.revisionHistoryLimit ?? 10,
      ...(traits.minReadySeconds !== undefined && { minReadySeconds: traits.minReadySeconds }),
    },
    ...(traits.status !== undefined && { status: traits.status }),
  };
}

function strategyOf(traits: DaemonSetTraits): NonNullable<DaemonSetSpec["updateStrategy"]> {
  if (traits.strategy === "OnDelete") return { type: "OnDelete" };
  const { maxSurge = 0, maxUnavailable = maxSurge === 0 ? 1 : 0 } = traits;
  return { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } };
}
