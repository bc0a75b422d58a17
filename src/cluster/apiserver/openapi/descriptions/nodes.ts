/** Nodes, priorities and what configures Pods. */
export const nodeDescriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "core.v1.NodeSpec": {
    podCIDR: "The addresses its Pods get.",
    providerID: "What the cloud calls the machine.",
    unschedulable: "Whether new Pods stay away; `kubectl cordon` sets it.",
    taints: "What keeps Pods away unless they tolerate it.",
  },
  "core.v1.NodeStatus": {
    capacity: "What the machine has.",
    allocatable: "What of it Pods may use.",
    conditions: "Whether the node is ready, short of memory and so on.",
    addresses: "Where the node is reached.",
    nodeInfo: "Versions of what runs on it.",
    images: "Images it has already.",
  },
  "core.v1.Taint": {
    key: "The taint's name.",
    value: "The taint's value.",
    effect:
      "NoSchedule keeps new Pods away, PreferNoSchedule if possible, NoExecute also ends those already there.",
    timeAdded: "Since when, for NoExecute.",
  },
  "core.v1.NamespaceSpec": { finalizers: "Who still has to agree before the namespace is removed." },
  "core.v1.NamespaceStatus": { phase: "Active, or Terminating.", conditions: "What holds up its deletion." },
  "core.v1.ConfigMap": {
    data: "Entries that are text.",
    binaryData: "Entries that are not, as base64.",
    immutable: "Whether it can no longer be changed.",
  },
  "core.v1.Secret": {
    type: "What the secret is for; Opaque unless said otherwise.",
    data: "Entries as base64.",
    stringData: "Entries as text; written into data and never read back.",
    immutable: "Whether it can no longer be changed.",
  },
  "core.v1.ResourceQuotaSpec": { hard: "The most there may be of each resource." },
  "core.v1.Event": {
    involvedObject: "What this is about.",
    reason: "Why, in one word a program can compare.",
    message: "What happened, for people.",
    source: "Who reports this.",
    firstTimestamp: "When this happened first.",
    lastTimestamp: "When this happened last.",
    count: "How often this happened.",
    type: "Normal, or Warning.",
    reportingComponent: "Which controller reports this.",
  },
  "scheduling.v1.PriorityClass": {
    value: "The priority of Pods of this class; more is more important.",
    globalDefault: "Whether Pods without a class get this one.",
    description: "When to use it.",
    preemptionPolicy: "Whether Pods of this class push less important ones aside.",
  },
};
