import type { FeatureGates } from "../../api/feature-gates.ts";
import type { DecodingContext, DocumentShape } from "../../decisions/placement/plugin-entry.ts";

const group = "kubescheduler.config.k8s.io";

/** The supported API versions of the file, the current one first. */
export const apiVersions = [`${group}/v1`, `${group}/v1beta1`] as const;

/** The context of a file of an API version. */
export function decodingContextOf(apiVersion: unknown, gates: FeatureGates): DecodingContext {
  return { isV1beta1: apiVersion === apiVersions[1], gates };
}

/** The extension points of kube-scheduler's framework, in the order in which they run for a Pod. */
export const extensionPoints = [
  "preEnqueue",
  "queueSort",
  "preFilter",
  "filter",
  "postFilter",
  "preScore",
  "score",
  "reserve",
  "permit",
  "preBind",
  "bind",
  "postBind",
] as const;

export type ExtensionPoint = (typeof extensionPoints)[number];

const pluginReferences = { list: { members: { name: "string", weight: "int32" } } };
const pluginSet = { members: { enabled: pluginReferences, disabled: pluginReferences } };

const profile = {
  members: {
    schedulerName: "string",
    percentageOfNodesToScore: "int32",
    plugins: {
      members: Object.fromEntries(["multiPoint", ...extensionPoints].map((point) => [point, pluginSet])),
    },
    // The form of the arguments depends on the plugin.
    pluginConfig: { list: { members: { name: "string", args: "JSON" } } },
  },
};

const members = {
  apiVersion: "string",
  kind: "string",
  profiles: { list: profile },
  percentageOfNodesToScore: "int32",
  podInitialBackoffSeconds: "int64",
  podMaxBackoffSeconds: "int64",
  extenders: { list: "JSON" },
  parallelism: "int32",
  enableProfiling: "bool",
  enableContentionProfiling: "bool",
  delayCacheUntilActive: "bool",
  leaderElection: {
    members: {
      leaderElect: "bool",
      leaseDuration: "Duration",
      renewDeadline: "Duration",
      retryPeriod: "Duration",
      resourceLock: "string",
      resourceName: "string",
      resourceNamespace: "string",
    },
  },
  clientConnection: {
    members: {
      kubeconfig: "string",
      acceptContentTypes: "string",
      contentType: "string",
      qps: "double",
      burst: "int32",
    },
  },
};

/** Removed in v1; most files of the time have them. */
const onlyInBeta = { healthzBindAddress: "string", metricsBindAddress: "string" };

/** The form of a KubeSchedulerConfiguration. */
export function configurationShape({ isV1beta1 }: DecodingContext): DocumentShape {
  return { members: isV1beta1 ? { ...members, ...onlyInBeta } : members };
}

/** A plugin in a list of enabled or disabled ones. */
export interface PluginReference {
  readonly name?: string;
  readonly weight?: number;
}

/** The plugins a file enables and disables at one extension point. */
export interface PluginSetDocument {
  readonly enabled?: readonly PluginReference[];
  readonly disabled?: readonly PluginReference[];
}

export type PluginsDocument = { readonly [Point in ExtensionPoint | "multiPoint"]?: PluginSetDocument };

/** A profile as the file has it: of the right types, not validated yet. */
export interface ProfileDocument {
  readonly schedulerName?: string;
  readonly percentageOfNodesToScore?: number;
  readonly plugins?: PluginsDocument;
  readonly pluginConfig?: readonly { readonly name?: string; readonly args?: unknown }[];
}

/** A configuration as the file has it: of the right types, not validated yet. */
export interface ConfigurationDocument {
  readonly profiles?: readonly ProfileDocument[];
  readonly percentageOfNodesToScore?: number;
  readonly podInitialBackoffSeconds?: number;
  readonly podMaxBackoffSeconds?: number;
  readonly extenders?: readonly unknown[];
  readonly parallelism?: number;
  readonly leaderElection?: { readonly leaderElect?: boolean; readonly resourceLock?: string };
}
