import {
  type DocumentOf,
  type DocumentSchema,
  duration,
  exactlyOneOf,
  number,
  record,
  text,
} from "../../api/documents/document-schema.ts";

const limit = (description: string) => number(description, { minimum: 0 });

const limits = {
  atMost: limit("The largest number that passes."),
  atLeast: limit("The smallest number that passes."),
  exactly: limit("The only number that passes."),
};
const skewLimits = {
  ...limits,
  topologyKey: text(
    "The label of nodes that makes a zone; `topology.kubernetes.io/zone` unless said otherwise.",
  ),
};

/** The numbers that pass. */
export type Limits = DocumentOf<ReturnType<typeof record<typeof skewLimits>>>;

const measure = (description: string, fields = limits): DocumentSchema<Limits> =>
  record(description, fields, { minProperties: 1 });

/** What an assertion is about, by the name of its member; an assertion has exactly one of them. */
export const subjects = {
  pods: measure("Pods that have not ended, terminating ones included."),
  activePods: measure("Pods that have neither ended nor are being deleted."),
  readyPods: measure("Active Pods that are Ready."),
  pendingPods: measure("Active Pods that do not run yet."),
  unscheduledPods: measure("Active Pods without a node."),
  terminatingPods: measure("Pods that are being deleted and have not ended."),
  terminatingReplicas: measure(
    "What the workload itself reports: `status.terminatingReplicas`, 0 if it is not there.",
  ),
  zoneSkew: measure("How many more active Pods the fullest zone has than the emptiest.", skewLimits),
  removedPods: measure("Pods whose deletion has begun since `from`."),
  busyPodsRemoved: measure("Pods whose deletion has begun since `from` while they were busy."),
  podHours: measure("Hours that Pods have existed since `from`, added up."),
  complete: record(
    "The workload has the Pods it wants, all of them updated and available (a Job: has succeeded).",
    { within: duration("How long after `from` that is at the latest.") },
    { required: ["within"] },
  ),
};

/** The name of what an assertion is about. */
export type SubjectName = keyof typeof subjects;

export const subjectNames = Object.keys(subjects) as SubjectName[];

export const assertion = record(
  "Something that has to hold; it is checked at every revision.",
  {
    name: text("What reports call it; a sentence about it unless said otherwise."),
    workload: text("Only Pods of this workload: `deployment/web`.", {
      pattern: "^[A-Za-z][A-Za-z0-9.-]*/[^/]+$",
      errorMessage: "must be a workload such as deployment/web",
    }),
    selector: text("Only Pods that this label selector selects: `app=web`."),
    namespace: text("Only Pods of this namespace; for a workload, `default` unless said otherwise."),
    from: duration(
      "Holds from this time on, after the events of that time; from the beginning unless said otherwise.",
    ),
    until: duration("Holds until this time; until the end unless said otherwise."),
    at: text("Holds at this time only, before the events of that time: a duration, or `end`.", {
      pattern: "^(end|[0-9.][a-zµμ0-9.]*)$",
      errorMessage: "must be a duration such as 5m, or end",
    }),
    for: duration("Fails only if it does not hold for so long without a break."),
    ...subjects,
  },
  exactlyOneOf(subjectNames),
);
