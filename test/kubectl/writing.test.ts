import { newestKubectl } from "./kubectls.ts";
import { describeScenes } from "./scenes.contract.ts";
import { writingScenes } from "./scenes/writing.cases.ts";

describeScenes(writingScenes, newestKubectl());
