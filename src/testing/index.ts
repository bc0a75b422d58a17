export { pod, type PodTraits } from "./pod.ts";
export { deployment, type DeploymentTraits, podTemplate } from "./deployment.ts";
export { replicaSet, type ReplicaSetTraits } from "./replica-set.ts";
