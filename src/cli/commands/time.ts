import { existsSync } from "node:fs";
import type { ConnectionResult } from "../../machinery/client/connection.ts";
import { loadKubeconfig } from "../../machinery/client/kubeconfig.ts";
import { type Command, type Invocation, reportErrors } from "../command.ts";
import { findConnection } from "../find-connection.ts";
import { textOf } from "../flag-values.ts";
import { askForTime, describeTime } from "../named-clusters/cluster-time.ts";
import { findCluster, listClusters } from "../named-clusters/named-cluster.ts";
import { defaultKubeconfig } from "../up-settings.ts";

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
    const found = connectionOf(flags);
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

/** What is asked of `/debug/time`; the API server says what is wrong with the value. */
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

/** The cluster of `--name`, of a kubeconfig, the only one that runs under a name, or the one without a name. */
function connectionOf(flags: Invocation["flags"]): ConnectionResult {
  const { env } = process;
  const given = (name: string) => (flags[name] === undefined ? undefined : textOf(flags, name));
  const [name, kubeconfig, context] = [given("name"), given("kubeconfig"), given("context")];
  if (name !== undefined) {
    return kubeconfig === undefined && context === undefined
      ? connectionOfNamed(name)
      : { ok: false, errors: ["--name excludes --kubeconfig and --context"] };
  }
  const isGiven = kubeconfig !== undefined || context !== undefined || (env["KUBECONFIG"] ?? "") !== "";
  return isGiven ? findConnection({ kubeconfig, context }, env) : connectionOfOnly();
}

function connectionOfNamed(name: string): ConnectionResult {
  const cluster = findCluster(name, process.env);
  if (cluster?.state !== "running")
    return { ok: false, errors: [`no cluster named ${JSON.stringify(name)} is running: see trimtab list`] };
  return loadKubeconfig({ paths: [cluster.record.kubeconfig] });
}

function connectionOfOnly(): ConnectionResult {
  const running = listClusters(process.env).filter(({ state }) => state === "running");
  const unnamed = defaultKubeconfig();
  const hasUnnamed = existsSync(unnamed);
  if (running.length + Number(hasUnnamed) > 1) {
    // The kubeconfig of a cluster without a name may be left of one that was killed.
    const choices = [
      ...running.map(({ name }) => `--name=${name}`),
      ...(hasUnnamed ? [`--kubeconfig=${unnamed}`] : []),
    ];
    return { ok: false, errors: [`there are several clusters: choose ${choices.join(" or ")}`] };
  }
  const [only] = running;
  if (only !== undefined) return connectionOfNamed(only.name);
  if (hasUnnamed) return loadKubeconfig({ paths: [unnamed] });
  return { ok: false, errors: ["no cluster is running: trimtab up starts one"] };
}
