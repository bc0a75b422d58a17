import { describeGenerating } from "./generators-agree.contract.ts";
import { findKubectls } from "./kubectls.ts";

describeGenerating(findKubectls());
