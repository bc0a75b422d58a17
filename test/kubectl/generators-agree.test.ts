import { describeGenerating, essentialGenerators } from "./generators-agree.contract.ts";
import { newestKubectl } from "./kubectls.ts";

describeGenerating(essentialGenerators, newestKubectl());
