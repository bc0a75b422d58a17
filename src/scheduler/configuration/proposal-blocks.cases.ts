/** Wraps arguments of PodTopologySpread into a whole file. */
export function spreadFile(args: string, version: "v1" | "v1beta1" = "v1beta1"): string {
  const indented = args
    .trim()
    .split("\n")
    .map((line) => `          ${line}`)
    .join("\n");
  return `apiVersion: kubescheduler.config.k8s.io/${version}
kind: KubeSchedulerConfiguration
profiles:
  - pluginConfig:
      - name: PodTopologySpread
        args:
${indented}
`;
}

// The YAML blocks of the proposal (KEP-1258), in its order. Fragments are of the plugin's arguments; where Kubernetes
// itself refuses what the proposal writes, the corrected block stands beside the original.

/** "Default constraints": what applies when the operator gives none. */
export const builtInConstraints = `
defaultConstraints:
  - maxSkew: 3
    topologyKey: "kubernetes.io/hostname"
    whenUnsatisfiable: ScheduleAnyway
  - maxSkew: 5
    topologyKey: "topology.kubernetes.io/zone"
    whenUnsatisfiable: ScheduleAnyway
`;

/** "Default constraints": how to disable them. */
export const noConstraints = `
defaultConstraints: []
`;

/** "How user stories are addressed": the operator's racks and hosts. */
export const hostsAndRacksOriginal = `
defaultConstraints:
  - maxSkew: 5
    topologyKey: "example.com/topology/physical_host"
    whenUnsatisfiable: ScheduleAnyway
  - maxSkew: 15
    topologyKey: "example.com/topology/rack"
    whenUnsatisfiable: DoNotSchedule
`;

/** The same with label keys that have one slash, as label keys must. */
export const hostsAndRacks = hostsAndRacksOriginal.replaceAll(
  "example.com/topology/",
  "topology.example.com/",
);

/** "How user stories are addressed": the author's workload. */
export const workloadOriginal = `
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: replicated_demo
spec:
  replicas: 3
  selector:
    matchLabels:
      app: demo
  template:
    metadata:
      labels:
        app: demo
    spec:
      containers:
      - name: php-redis
        image: example.com/registry/demo:latest
`;

/** The same under a name a ReplicaSet can have. */
export const workload = workloadOriginal.replace("replicated_demo", "replicated-demo");

/** "How user stories are addressed": what the two amount to, with corrected keys; an answer, not an input. */
export const derivedConstraints = `
topologySpreadConstraints:
  - maxSkew: 5
    topologyKey: "topology.example.com/physical_host"
    whenUnsatisfiable: ScheduleAnyway
    selector:
      matchLabels:
        app: demo
  - maxSkew: 15
    topologyKey: "topology.example.com/rack"
    whenUnsatisfiable: DoNotSchedule
    selector:
      matchLabels:
        app: demo
`;

/** "Feature Enablement and Rollback": disabling without the gate. */
export const disablingFile = `
apiVersion: kubescheduler.config.k8s.io/v1beta1
kind: KubeSchedulerConfiguration
profiles:
  - pluginConfig:
    - name: PodTopologySpread
      args:
        disableDefaultConstraints: true
`;
