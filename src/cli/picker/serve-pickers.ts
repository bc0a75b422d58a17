import { pods } from "../../api/resources.ts";
import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { delegatedAuthorizer } from "../../machinery/diagnostics/delegated-authorizer.ts";
import { serveDiagnostics } from "../../machinery/diagnostics/serve-diagnostics.ts";
import type { Listening, ListenOptions } from "../../picker/kit/listen.ts";
import type { PickerConfiguration } from "../../picker/serve/configuration/picker-configuration.ts";
import { previewAnswers } from "../../picker/serve/preview-answers.ts";
import { servablePickers, type ServablePickers } from "../../picker/serve/serve-pickers.ts";
import { ansiPaint } from "../colours.ts";
import { type Command, type Invocation, reportErrors, type Terminal, untilInterrupted } from "../command.ts";
import { isEmbeddedCluster } from "../connection/cluster-view.ts";
import { type ClusterProgram, findClusterAccess, runOnCluster } from "../connection/run-on-cluster.ts";
import { answersText } from "./answers-text.ts";
import { readServeSettings, type ServeSettings } from "./picker-serve-settings.ts";

/** Runs `trimtab picker serve`; resolves to the exit code. */
export async function servePickers(
  command: Command,
  invocation: Invocation,
  terminal: Terminal,
): Promise<number> {
  const read = readServeSettings(invocation);
  if (!read.ok) return reportErrors(terminal, command, read.problems);
  const { settings } = read;
  const found = findClusterAccess(settings);
  const token = tokenOf(settings.configuration);
  const problems = [...(found.ok ? [] : found.problems), ...(token.ok ? [] : [token.problem])];
  if (problems.length > 0 || !found.ok || !token.ok) return reportErrors(terminal, command, problems);
  const { server } = found.access.connection;
  let code = 0;
  const ended = await runOnCluster(found.access, { command, probe: pods, terminal }, async (program) => {
    const signal = terminal.interrupted;
    const isSimulated = await isEmbeddedCluster(program.client, signal);
    const stopping = new AbortController();
    const pickers = servablePickers({
      ...program,
      configuration: settings.configuration,
      apiServer: () => server,
      isSimulated,
      listsPods: settings.isCheck,
      token: token.read,
      signal: AbortSignal.any([signal, stopping.signal]),
    });
    const following = pickers.run();
    try {
      if (settings.isCheck) code = await check(pickers, program, terminal);
      else await serve(pickers, { program, settings, terminal });
    } finally {
      stopping.abort();
      await following;
    }
  });
  return ended === 0 ? code : ended;
}

type ReadToken =
  | { readonly ok: true; readonly read: (() => string) | undefined }
  | { readonly ok: false; readonly problem: string };

/** The token of callers, from its file; an empty one would let everybody in. */
function tokenOf({ serving: { tokenFile } = {} }: PickerConfiguration): ReadToken {
  if (tokenFile === undefined) return { ok: true, read: undefined };
  const read = () => {
    const file = readTextFile(tokenFile);
    return file.ok ? file.text.trim() : "";
  };
  return read() === ""
    ? { ok: false, problem: `serving.tokenFile: ${tokenFile} has no token` }
    : { ok: true, read };
}

interface Serving {
  readonly program: ClusterProgram;
  readonly settings: ServeSettings;
  readonly terminal: Terminal;
}

/** Answers until the user interrupts it. */
async function serve(
  pickers: ServablePickers,
  { program, settings: { configuration }, terminal }: Serving,
): Promise<void> {
  const { client, clock, log, metrics, port, bind } = program;
  const diagnostics = await serveDiagnostics(
    {
      readiness: () => [{ name: "caches", ok: pickers.isReady() }],
      metrics: () => metrics.text(),
    },
    { port, log, secure: bind && { ...bind, authorize: delegatedAuthorizer({ client, clock, log }) } },
  );
  try {
    if (!(await pickers.ready())) return;
    const listening = await pickers.picker.listen(listenOptions(configuration));
    terminal.out(welcome(configuration, listening, diagnostics.url));
    await untilInterrupted(terminal, () => "picker serve runs until it is interrupted");
  } finally {
    await pickers.picker.stop();
    await diagnostics.close();
  }
}

function listenOptions({ serving = {} }: PickerConfiguration): ListenOptions {
  const { host, tls, port = tls === undefined ? 8080 : 8443 } = serving;
  return { port, ...(host !== undefined && { host }), ...(tls !== undefined && { tls }) };
}

function welcome(
  { pickers }: PickerConfiguration,
  { url = "", grpcUrl = "" }: Listening,
  diagnostics: string,
): string {
  return [
    `trimtab answers for ${pickers.map(({ name }) => name).join(", ")}`,
    `questions: ${url} and ${grpcUrl}`,
    `health and metrics: ${diagnostics}`,
  ].join("\n");
}

const checkTimeoutMs = 30_000;

/** Prints what would be answered now; 1 if a source has failed. */
async function check(
  { served, pods, ready }: ServablePickers,
  { clock }: ClusterProgram,
  terminal: Terminal,
): Promise<number> {
  const late = new AbortController();
  const timer = clock.after(checkTimeoutMs, () => late.abort());
  const isRead = await Promise.race([
    ready(),
    new Promise<boolean>((resolve) => late.signal.addEventListener("abort", () => resolve(false))),
  ]);
  timer.cancel();
  if (!isRead) throw new Error("the workloads and Pods cannot be read: the log says why");
  const previews = await previewAnswers(served, pods, terminal.interrupted);
  terminal.out(answersText(previews, terminal.colours === true ? { paint: ansiPaint } : {}));
  const hasFailed = previews.some(({ scores }) => scores.some(({ failure }) => failure !== undefined));
  return hasFailed ? 1 : 0;
}
