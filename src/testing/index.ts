// What `trimtab/testing` publishes. Our own tests import the files, so that a builder does not load a whole cluster.
export { pod, type PodTraits } from "./pod.ts";
export { node, type NodeTraits } from "./node.ts";
export { deployment, type DeploymentTraits, podTemplate } from "./deployment.ts";
export { replicaSet, type ReplicaSetTraits } from "./replica-set.ts";
export {
  allComponentsExcept,
  type TestCluster,
  testCluster,
  type TestClusterOptions,
} from "./test-cluster.ts";
export { type TestApi, testApi } from "./test-api.ts";
export { type ObservedClient, observeClient, type RequestFailure } from "./observe-client.ts";
export { ScriptedApi } from "./scripted-api.ts";
export { apiFailure } from "../machinery/client/api-error.ts";
export { type CollectingLogger, collectingLogger, type LogEntry } from "./collecting-logger.ts";
export { type CollectingRecorder, collectingRecorder } from "./collecting-recorder.ts";
export { type MemoryMetrics, memoryMetrics } from "./memory-metrics.ts";
