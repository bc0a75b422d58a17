import type { DecodingContext } from "./decoding-context.ts";

/** The form of a value in the file: a type of the API schema by its name, a list, or an object with these members. */
export type DocumentShape =
  | string
  | { readonly list: DocumentShape }
  | { readonly members: Readonly<Record<string, DocumentShape>> };

/** Where a plugin may be put to work, in the order a Pod comes by. */
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
    // What the arguments look like depends on the plugin they are for.
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

/** Gone in v1, and in most files of the time. */
const onlyInBeta = { healthzBindAddress: "string", metricsBindAddress: "string" };

/** A KubeSchedulerConfiguration. */
export function configurationShape({ isV1beta1 }: DecodingContext): DocumentShape {
  return { members: isV1beta1 ? { ...members, ...onlyInBeta } : members };
}

/** A plugin as a file names it. */
export interface PluginReference {
  readonly name?: string;
  readonly weight?: number;
}

/** What a file wants changed at one extension point. */
export interface PluginSetDocument {
  readonly enabled?: readonly PluginReference[];
  readonly disabled?: readonly PluginReference[];
}

export type PluginsDocument = { readonly [Point in ExtensionPoint | "multiPoint"]?: PluginSetDocument };

/** A profile as written, of the right types but not yet looked at. */
export interface ProfileDocument {
  readonly schedulerName?: string;
  readonly percentageOfNodesToScore?: number;
  readonly plugins?: PluginsDocument;
  readonly pluginConfig?: readonly { readonly name?: string; readonly args?: unknown }[];
}

/** A configuration as written, of the right types but not yet looked at. */
export interface ConfigurationDocument {
  readonly profiles?: readonly ProfileDocument[];
  readonly percentageOfNodesToScore?: number;
  readonly podInitialBackoffSeconds?: number;
  readonly podMaxBackoffSeconds?: number;
  readonly extenders?: readonly unknown[];
  readonly parallelism?: number;
  readonly leaderElection?: { readonly leaderElect?: boolean; readonly resourceLock?: string };
}
