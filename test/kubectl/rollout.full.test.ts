import { findKubectls } from "./kubectls.ts";
import { describeRollouts } from "./rollout.contract.ts";

describeRollouts(findKubectls());
