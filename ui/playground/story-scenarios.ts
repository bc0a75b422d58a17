// The scenarios of the stories: examples of the repository where they can be.

export { default as busyWorkers } from "./scenarios/picker.yaml?raw";
export { default as drain } from "../../examples/drain-a-zone/scenario.yaml?raw";
export { default as fastRollout } from "../../examples/fast-rollout/scenario.yaml?raw";
export { default as imbalance } from "../../examples/imbalance-cycle/scenario.yaml?raw";
export { default as labelOrAge } from "./scenarios/label-or-age.yaml?raw";
export { default as logarithmicAges } from "./scenarios/logarithmic-ages.yaml?raw";
export { default as ownPicker } from "./scenarios/own-picker.yaml?raw";
export { default as preferred } from "../../examples/prefer-for-scale-down/scenario.yaml?raw";
export { default as regionalWeb } from "../../examples/regional-web/scenario.yaml?raw";
export { default as scarceGpus } from "../../examples/scarce-gpus/scenario.yaml?raw";
export { default as spread } from "./scenarios/spread.yaml?raw";
export { default as terminating } from "../../examples/terminating-counted/scenario.yaml?raw";
