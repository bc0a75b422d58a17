import { newestKubectl } from "./kubectls.ts";
import { describeScenes } from "./scenes.contract.ts";
import { endingScenes } from "./scenes/ending.cases.ts";

describeScenes(endingScenes, newestKubectl());
