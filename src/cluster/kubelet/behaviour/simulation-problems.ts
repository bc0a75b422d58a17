import { readNodeBehaviour } from "./node-behaviour.ts";
import { readPodBehaviour } from "./pod-behaviour.ts";
import { simulationPrefix } from "./simulation-prefix.ts";

type Marks = Readonly<Record<string, string>>;

/** What is wrong with an annotation or label that controls the simulation, in a sentence that begins with its name. */
export interface SimulationProblem {
  readonly key: string;
  readonly problem: string;
}

/**
 * Returns what a kubelet would report about the settings of a Pod, or of a namespace for its Pods, before it exists.
 */
export function podSimulationProblems(marks: {
  readonly annotations?: Marks;
  readonly labels?: Marks;
}): readonly SimulationProblem[] {
  const { annotations = {}, labels = {} } = marks;
  return [
    ...eachSetting(annotations, (setting) => readPodBehaviour(podWith({ annotations: setting })).problems),
    ...eachSetting(labels, (setting) => readPodBehaviour(podWith({ labels: setting })).problems),
  ];
}

/** Returns the problems with the annotations of a node, some of which are settings for its Pods. */
export function nodeSimulationProblems(annotations: Marks): readonly SimulationProblem[] {
  return eachSetting(annotations, (setting) => {
    const { podSettings, problems } = readNodeBehaviour({ metadata: { ...metadata, annotations: setting } });
    return [...problems, ...readPodBehaviour(podWith({}), { node: podSettings }).problems];
  });
}

function eachSetting(
  marks: Marks,
  problemsOf: (setting: Marks) => readonly string[],
): readonly SimulationProblem[] {
  return Object.entries(marks)
    .filter(([key]) => key.startsWith(simulationPrefix))
    .flatMap(([key, value]) => problemsOf({ [key]: value }).map((problem) => ({ key, problem })));
}

const metadata = { name: "", uid: "", resourceVersion: "" };

function podWith(marks: { readonly annotations?: Marks; readonly labels?: Marks }) {
  return { metadata: { ...metadata, ...marks }, spec: { containers: [] } };
}
