import type { Deployment, ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { PodTemplateSpec } from "../../src/api/generated/core-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import type { PodReplacementPolicy } from "../../src/api/workload-settings.ts";

export const namespace = "default";
export const at = (name: string) => ({ namespace, name });

/** How long the Pods of a template take, where it matters: durations such as `20s`. */
export interface PodTraits {
  readonly image?: string;
  /** Until they run and, but for what follows, are ready. */
  readonly startsIn?: string;
  /** From running to ready; `never` for Pods that do not become so. */
  readonly readyIn?: string;
  /** From being deleted to being gone. */
  readonly endsIn?: string;
}

export interface WebTraits extends PodTraits {
  readonly name?: string;
  readonly replicas?: number;
  /** Absent: `RollingUpdate` with these limits. */
  readonly strategy?: "Recreate";
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
  readonly policy?: PodReplacementPolicy | undefined;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Whatever else the spec is to say. */
  readonly spec?: Partial<Deployment["spec"]>;
}

/** A template of web servers whose Pods take the given time. */
export function template(traits: PodTraits = {}, labels: object = { app: "web" }): PodTemplateSpec {
  const { image = "web:1", startsIn, readyIn, endsIn } = traits;
  const delays = {
    ...(startsIn !== undefined && { startDelay: startsIn }),
    ...(readyIn === "never" ? { neverReady: "true" } : readyIn !== undefined && { readyDelay: readyIn }),
    ...(endsIn !== undefined && { terminationDelay: endsIn }),
  };
  const annotations = Object.fromEntries(
    Object.entries(delays).map(([name, value]) => [`sim.trimtab.dev/${name}`, value]),
  );
  const containers = [{ name: "web", image }];
  return {
    metadata: { labels: { ...labels }, annotations },
    spec: { containers, terminationGracePeriodSeconds: 36_000 },
  };
}

interface LooseTraits extends PodTraits {
  readonly replicas?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Whatever else the spec is to say. */
  readonly spec?: Partial<ReplicaSet["spec"]>;
}

/** A ReplicaSet that no Deployment has made; its hash is a label like any other. */
export function looseReplicaSet(name: string, traits: LooseTraits = {}): Draft<ReplicaSet> {
  const { replicas = 2, annotations = {} } = traits;
  const labels = { app: "web", "pod-template-hash": name };
  return {
    metadata: { ...at(name), labels, annotations },
    spec: { replicas, selector: { matchLabels: labels }, template: template(traits, labels), ...traits.spec },
  };
}

/** A Deployment of web servers on its way to the server. */
export function web(traits: WebTraits = {}): Draft<Deployment> {
  const { name = "web", replicas = 3, policy, strategy, annotations = {} } = traits;
  const { maxSurge = 1, maxUnavailable = 0 } = traits;
  return {
    metadata: { ...at(name), annotations },
    spec: {
      replicas,
      selector: { matchLabels: { app: "web" } },
      template: template(traits),
      strategy:
        strategy === "Recreate"
          ? { type: strategy }
          : { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } },
      ...(policy !== undefined && { podReplacementPolicy: policy }),
      ...traits.spec,
    },
  };
}
