import { describeApplying } from "./apply-agrees.contract.ts";
import { newestKubectl } from "./kubectls.ts";

describeApplying(newestKubectl());
