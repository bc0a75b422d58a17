import { describeApplying } from "./apply-agrees.contract.ts";
import { findKubectls } from "./kubectls.ts";

describeApplying(findKubectls());
