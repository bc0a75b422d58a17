import type { Deployment, DeploymentStatus, DownscalePodPicker } from "../api/generated/apps-v1.ts";
import type { PodTemplateSpec } from "../api/generated/core-v1.ts";
import type { PodReplacementPolicy } from "../api/workload-settings.ts";
import { type MetadataTraits, storedMetadata } from "./stored-metadata.ts";

/** What a test may want to be different about a Deployment; times are RFC 3339. */
export interface DeploymentTraits extends MetadataTraits {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly replicas?: number;
  readonly strategy?: "RollingUpdate" | "Recreate";
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
  /** `null` for none, which is also what absence means. */
  readonly policy?: PodReplacementPolicy | null;
  readonly paused?: boolean;
  /** Differs between its templates, and so between its revisions. */
  readonly image?: string;
  readonly minReadySeconds?: number;
  /** `null` for a rollout that may take for ever. */
  readonly progressDeadlineSeconds?: number | null;
  readonly revisionHistoryLimit?: number;
  readonly picker?: DownscalePodPicker;
  readonly status?: DeploymentStatus;
}

/** A Deployment as the API server stores it: three replicas, updated by the default budgets, but for the traits given. */
export function deployment(name: string, traits: DeploymentTraits = {}): Deployment {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      ...storedMetadata(name, traits),
      labels: { app: "web" },
      annotations: { ...traits.annotations },
    },
    spec: specOf(traits),
    status: traits.status ?? {},
  };
}

/** The Pods of a revision: one container with an image. */
export function podTemplate(image = "registry.example/app:1", hash?: string): PodTemplateSpec {
  return {
    metadata: { labels: { app: "web", ...(hash === undefined ? {} : { "pod-template-hash": hash }) } },
    spec: { containers: [{ name: "app", image }], restartPolicy: "Always" },
  };
}

function specOf(traits: DeploymentTraits): Deployment["spec"] {
  const { progressDeadlineSeconds = 600, policy = null } = traits;
  return {
    replicas: traits.replicas ?? 3,
    selector: { matchLabels: { app: "web" } },
    template: podTemplate(traits.image),
    strategy: strategyOf(traits),
    revisionHistoryLimit: traits.revisionHistoryLimit ?? 10,
    ...(traits.minReadySeconds === undefined ? {} : { minReadySeconds: traits.minReadySeconds }),
    ...(traits.paused === undefined ? {} : { paused: traits.paused }),
    ...(progressDeadlineSeconds === null ? {} : { progressDeadlineSeconds }),
    ...(policy === null ? {} : { podReplacementPolicy: policy }),
    ...(traits.picker === undefined ? {} : { downscalePodPicker: traits.picker }),
  };
}

function strategyOf(traits: DeploymentTraits): NonNullable<Deployment["spec"]["strategy"]> {
  if (traits.strategy === "Recreate") return { type: "Recreate" };
  const { maxSurge = "25%", maxUnavailable = "25%" } = traits;
  return { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } };
}
