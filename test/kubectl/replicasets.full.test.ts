import { findKubectls } from "./kubectls.ts";
import { describeScenes } from "./scenes.contract.ts";
import { replicaSetScenes } from "./scenes/replicasets.cases.ts";

describeScenes(replicaSetScenes, findKubectls());
