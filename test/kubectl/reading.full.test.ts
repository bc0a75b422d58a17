import { findKubectls } from "./kubectls.ts";
import { describeScenes } from "./scenes.contract.ts";
import { readingScenes } from "./scenes/reading.cases.ts";

describeScenes(readingScenes, findKubectls());
