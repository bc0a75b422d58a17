export { pod, type PodTraits } from "./pod.ts";
export { deployment, type DeploymentTraits, podTemplate } from "./deployment.ts";
export { replicaSet, type ReplicaSetTraits } from "./replica-set.ts";
export { deepFreeze } from "./deep-freeze.ts";
export { FakeApi, type FakeRequest } from "./fake-api.ts";
export { failure } from "./fake-store.ts";
