export { pod, type PodTraits } from "./pod.ts";
