import { findKubectls } from "./kubectls.ts";
import { describeScenes } from "./scenes.contract.ts";
import { endingScenes, lengthyScenes } from "./scenes/ending.cases.ts";

describeScenes([...endingScenes, ...lengthyScenes], findKubectls());
