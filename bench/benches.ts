import type { Measure } from "./measure.ts";

/**
 * Every bench by name, one line each. Each is loaded when it runs: what the others import would count as memory of its own.
 */
export const benches: Readonly<Record<string, () => Promise<readonly Measure[]>>> = {
  apiserver: async () => (await import("./apiserver.ts")).apiserver(),
  autoscaling: async () => (await import("./autoscaling.ts")).autoscaling(),
  burst: async () => (await import("./event-loop.ts")).burst(),
  cluster: async () => (await import("./cluster.ts")).cluster(),
  "custom-kinds": async () => (await import("./custom-kinds.ts")).customKinds(),
  "custom-resources": async () => (await import("./custom-resources.ts")).customResources(),
  daemon: async () => (await import("./daemon.ts")).daemon(),
  deployment: async () => (await import("./deployment.ts")).deployment(),
  durable: async () => (await import("./durable.ts")).durable(),
  "event-loop": async () => (await import("./event-loop.ts")).eventLoop(),
  explain: async () => (await import("./explain.ts")).explain(),
  "https-creates": async () => (await import("./https-creates.ts")).httpsCreates(),
  kubelet: async () => (await import("./kubelet.ts")).kubelet(),
  "many-kinds": async () => (await import("./many-kinds.ts")).manyKinds(),
  page: async () => (await import("./page.ts")).page(),
  picker: async () => (await import("./picker.ts")).picker(),
  placement: async () => (await import("./placement.ts")).placement(),
  planning: async () => (await import("./planning.ts")).planning(),
  ranking: async () => (await import("./ranking.ts")).ranking(),
  reading: async () => (await import("./reading.ts")).reading(),
  "real-cluster": async () => (await import("./real-cluster.ts")).realCluster(),
  "real-steering": async () => (await import("./real-steering.ts")).realSteering(),
  replicaset: async () => (await import("./replicaset.ts")).replicaset(),
  rules: async () => (await import("./rules.ts")).rulesOfKinds(),
  scheduler: async () => (await import("./scheduler.ts")).scheduler(),
  "scheduler-perf": async () => (await import("./scheduler.ts")).schedulerPerf(),
  simulate: async () => (await import("./simulate.ts")).simulate(),
  simulation: async () => (await import("./simulation.ts")).simulation(),
  webhooks: async () => (await import("./webhooks.ts")).webhooks(),
  whatif: async () => (await import("./whatif.ts")).whatif(),
  stateful: async () => (await import("./stateful.ts")).stateful(),
  steering: async () => (await import("./steering.ts")).steering(),
};
