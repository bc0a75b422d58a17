import { expect, test } from "vitest";
import { chooseControllers, controllerNames, optionalControllerNames } from "./choose-controllers.ts";

const [deployment, replicaSet, replicationController] = [
  "deployment-controller",
  "replicaset-controller",
  "replicationcontroller-controller",
];

test.for([
  { text: "*", want: [deployment, replicaSet, replicationController] },
  {
    text: "*,statefulset-controller",
    want: [deployment, replicaSet, replicationController, "statefulset-controller"],
  },
  { text: "*,-replicaset-controller", want: [deployment, replicationController] },
  { text: " statefulset-controller ", want: ["statefulset-controller"] },
  { text: "-deployment-controller,deployment-controller", want: [deployment] },
])("--controllers=$text runs $want", ({ text, want }) => {
  expect(chooseControllers(text)).toMatchObject({ ok: true, names: want });
});

test.for([
  {
    text: "job-controller",
    problem: /"job-controller" is not a controller that Trimtab has: deployment-controller/,
  },
  { text: "-what", problem: /"-what" is not a controller/ },
  { text: "", problem: /leaves no controller to run/ },
])("--controllers=$text is refused", ({ text, problem }) => {
  expect(chooseControllers(text)).toEqual({ ok: false, problems: [expect.stringMatching(problem)] });
});

test("those that other clusters need not have replaced are not on by default", () => {
  const chosen = chooseControllers("*");
  const missing = chosen.ok ? controllerNames.filter((name) => !chosen.names.includes(name)) : [];
  expect(missing).toEqual(optionalControllerNames);
});
