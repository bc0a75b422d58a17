import type { StatefulSet, StatefulSetSpec, StatefulSetStatus } from "../api/generated/apps-v1.ts";
import { podTemplate } from "./deployment.ts";
import { type MetadataTraits, storedMetadata } from "./stored-metadata.ts";

/** What a test may want to be different about a StatefulSet. */
export interface StatefulSetTraits extends MetadataTraits {
  readonly replicas?: number;
  /** Differs between its templates, and so between its revisions. */
  readonly image?: string;
  /** Whatever else its spec should have. */
  readonly spec?: Partial<StatefulSetSpec>;
  readonly status?: StatefulSetStatus;
}

/** A StatefulSet as the API server stores it: three ordered replicas, all of which an update reaches, but for the traits. */
export function statefulSet(name: string, traits: StatefulSetTraits = {}): StatefulSet {
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { ...storedMetadata(name, traits), labels: { app: "web" } },
    spec: {
      replicas: traits.replicas ?? 3,
      selector: { matchLabels: { app: "web" } },
      serviceName: name,
      template: podTemplate(traits.image),
      podManagementPolicy: "OrderedReady",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
      revisionHistoryLimit: 10,
      ...traits.spec,
    },
    ...(traits.status !== undefined && { status: traits.status }),
  };
}
