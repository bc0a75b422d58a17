import { type Command, reportErrors } from "../command.ts";
import { givenConnection } from "../connection/inspected-cluster.ts";
import { askForTime, describeTime } from "../named-clusters/cluster-time.ts";
import { connectionOfOnly } from "../connection/find-connection.ts";

export const time: Command = {
  name: "time",
  summary: "Show or change the time of a running cluster: pause, resume, step 30s, speed 10.",
  operands: "pause | resume | step DURATION | speed N",
  operandChoices: ["pause", "resume", "step", "speed"],
  flags: {
    name: { type: "string", value: "NAME", help: "The cluster that was started with this name" },
    kubeconfig: { type: "string", value: "FILE", help: "The kubeconfig of the cluster" },
    context: { type: "string", value: "NAME", help: "The context of the kubeconfig" },
    json: { type: "boolean", help: "Print JSON for programs" },
  },
  async run({ flags, arguments: words }, terminal) {
    const action = readAction(words);
    const found = givenConnection(flags, process.env) ?? connectionOfOnly();
    const problems = [...(action.ok ? [] : [action.problem]), ...(found.ok ? [] : found.errors)];
    if (!action.ok || !found.ok) return reportErrors(terminal, time, problems);
    const asked = await askForTime(found.connection, terminal.interrupted, action.request);
    if (!asked.ok) return reportErrors(terminal, time, [asked.problem]);
    terminal.out(
      flags["json"] === true ? JSON.stringify(asked.time, undefined, 2) : describeTime(asked.time),
    );
    return 0;
  },
};

type ReadAction =
  | { readonly ok: true; readonly request: string | undefined }
  | { readonly ok: false; readonly problem: string };

/** Reads the action for `/debug/time`; the API server validates its value. */
function readAction(words: readonly string[]): ReadAction {
  const [action, value, ...more] = words;
  if (action === undefined) return { ok: true, request: undefined };
  const parameter = parameters.get(action);
  if (parameter === undefined)
    return { ok: false, problem: `${JSON.stringify(action)} is none of pause, resume, step and speed` };
  if (more.length > 0 || (value !== undefined && parameter === ""))
    return { ok: false, problem: `${action} has too many operands` };
  if (parameter === "") return { ok: true, request: action };
  if (value === undefined)
    return {
      ok: false,
      problem: `${action} needs a ${parameter}, such as ${action} ${samples.get(action) ?? ""}`,
    };
  return { ok: true, request: `${action}?${parameter}=${encodeURIComponent(value)}` };
}

const parameters: ReadonlyMap<string, string> = new Map([
  ["pause", ""],
  ["resume", ""],
  ["step", "duration"],
  ["speed", "factor"],
]);

const samples: ReadonlyMap<string, string> = new Map([
  ["step", "30s"],
  ["speed", "10"],
]);
