import { describeGenerating } from "./generators-agree.contract.ts";
import { newestKubectl } from "./kubectls.ts";

describeGenerating(newestKubectl());
