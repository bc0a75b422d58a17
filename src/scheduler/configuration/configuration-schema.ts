import {
  anyText,
  anything,
  choice,
  type DocumentOf,
  flag,
  type Incomplete,
  int32,
  int64,
  duration,
  list,
  number,
  record,
} from "../../api/documents/document-schema.ts";
import type { FeatureGates } from "../../api/feature-gates.ts";
import { duplicate, type FieldError, forbidden, invalid, required } from "../../api/field-error.ts";
import type { DecodingContext } from "../../decisions/placement/plugin-entry.ts";

const group = "kubescheduler.config.k8s.io";

/** The supported API versions of the file, the current one first. */
const apiVersions = [`${group}/v1`, `${group}/v1beta1`] as const;
export const schedulerConfigKind = "KubeSchedulerConfiguration";

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

const pluginReference = record("A plugin.", {
  name: anyText("Its name; `*` among disabled ones means all."),
  weight: int32("The weight of its scores; 0 or absent means 1."),
});
const pluginSet = record("Plugins at an extension point.", {
  enabled: list("Plugins that run besides the default ones.", pluginReference),
  disabled: list("Default plugins that do not run.", pluginReference),
});

/** A plugin in a list of enabled or disabled ones. */
export type PluginReference = DocumentOf<typeof pluginReference>;
/** The plugins a file enables and disables at one extension point. */
export type PluginSetDocument = DocumentOf<typeof pluginSet>;

const percentage = int32("How many of the nodes are scored, in percent; 0 depends on their number.", {
  check: (value, path) =>
    value >= 0 && value <= 100 ? [] : [invalid(path, value, "not in valid range [0-100]")],
});

const profile = record("How Pods that name a scheduler are placed.", {
  schedulerName: anyText("The name that Pods have; `default-scheduler` unless said otherwise."),
  percentageOfNodesToScore: percentage,
  plugins: record(
    "Plugins by extension point.",
    Object.fromEntries(["multiPoint", ...extensionPoints].map((point) => [point, pluginSet])) as Record<
      ExtensionPoint | "multiPoint",
      typeof pluginSet
    >,
  ),
  pluginConfig: list(
    "Arguments of plugins.",
    record("The arguments of a plugin.", {
      name: anyText("The name of the plugin."),
      // Their form depends on the plugin.
      args: anything("Its arguments."),
    }),
  ),
});

/** A profile as the file has it. */
export type ProfileDocument = DocumentOf<typeof profile>;
/** The plugins of a profile as the file has them. */
export type PluginsDocument = NonNullable<ProfileDocument["plugins"]>;

export const defaultBackoffSeconds = { initial: 1, max: 10 };

const members = {
  apiVersion: choice("The version of this format.", apiVersions),
  kind: choice("The kind of this file.", [schedulerConfigKind]),
  profiles: list("One scheduler each.", profile, { check: profileNameErrors }),
  percentageOfNodesToScore: percentage,
  podInitialBackoffSeconds: int64(
    "The first back-off of a Pod that cannot be scheduled; 1 unless said otherwise.",
    {
      check: (value, path) => (value > 0 ? [] : [invalid(path, value, "must be greater than 0")]),
    },
  ),
  podMaxBackoffSeconds: int64("The longest back-off; 10 unless said otherwise."),
  extenders: list("Not supported.", anything("An extender."), {
    check: (value, path) => (value.length > 0 ? [forbidden(path, "not supported")] : []),
  }),
  parallelism: int32("Without effect here.", {
    check: (value, path) =>
      value > 0 ? [] : [invalid(path, value, "should be an integer value greater than zero")],
  }),
  enableProfiling: flag("Without effect here."),
  enableContentionProfiling: flag("Without effect here."),
  delayCacheUntilActive: flag("Without effect here."),
  leaderElection: record(
    "Without effect here.",
    {
      leaderElect: flag("Whether one of several copies schedules."),
      leaseDuration: duration("How long a Lease holds."),
      renewDeadline: duration("How long it is renewed."),
      retryPeriod: duration("How often it is tried."),
      resourceLock: anyText("`leases`."),
      resourceName: anyText("The name of the Lease."),
      resourceNamespace: anyText("Its namespace."),
    },
    {
      check: ({ leaderElect = true, resourceLock = "leases" }, path) =>
        !leaderElect || resourceLock === "leases"
          ? []
          : [invalid(`${path}.resourceLock`, resourceLock, 'resourceLock value must be "leases"')],
    },
  ),
  clientConnection: record("Without effect here.", {
    kubeconfig: anyText("A file."),
    acceptContentTypes: anyText("Media types."),
    contentType: anyText("A media type."),
    qps: number("Requests per second."),
    burst: int32("Requests at once."),
  }),
};

/** Removed in v1; most files of the time have them. */
const onlyInBeta = {
  healthzBindAddress: anyText("Without effect here."),
  metricsBindAddress: anyText("Without effect here."),
};

/** The schema of a KubeSchedulerConfiguration; some of its words are those of kube-scheduler. */
export const schedulerConfigSchema = record("How the scheduler places Pods.", members, {
  $id: "https://trimtab.dev/schemas/kube-scheduler-configuration-v1.json",
  title: schedulerConfigKind,
  required: ["apiVersion", "kind"],
  check: backoffErrors,
});

/** The schema of a KubeSchedulerConfiguration of version v1beta1. */
export const betaSchedulerConfigSchema = record(
  "How the scheduler places Pods.",
  { ...members, ...onlyInBeta },
  { required: ["apiVersion", "kind"], check: backoffErrors },
);

/** A configuration as the file has it. */
export type ConfigurationDocument = Incomplete<DocumentOf<typeof schedulerConfigSchema>>;

interface Backoff {
  readonly podInitialBackoffSeconds?: number;
  readonly podMaxBackoffSeconds?: number;
}

function backoffErrors({
  podInitialBackoffSeconds: initial = defaultBackoffSeconds.initial,
  podMaxBackoffSeconds: max = defaultBackoffSeconds.max,
}: Backoff): readonly FieldError[] {
  const detail = "must be greater than or equal to PodInitialBackoffSeconds";
  return max >= initial ? [] : [invalid("podMaxBackoffSeconds", max, detail)];
}

/** A single profile may be without a name; several need different names. */
function profileNameErrors(profiles: readonly ProfileDocument[], path: string): readonly FieldError[] {
  const seen = new Set<string>();
  return profiles.flatMap(({ schedulerName = "" }, index) => {
    const at = `${path}[${index}].schedulerName`;
    if (schedulerName === "") return profiles.length > 1 ? [required(at)] : [];
    const isRepeated = seen.has(schedulerName);
    seen.add(schedulerName);
    return isRepeated ? [duplicate(at, schedulerName)] : [];
  });
}
