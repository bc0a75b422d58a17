import { newestKubectl } from "./kubectls.ts";
import { describeRollouts } from "./rollout.contract.ts";

describeRollouts(newestKubectl());
