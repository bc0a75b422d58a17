import { parseDuration } from "../../api/duration.ts";
import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { readPickerUrl, tokenHeader } from "../../picker/check/check-url.ts";
import type { ProbeTarget, ProbeTls } from "../../picker/check/probe.ts";
import { type ReportFormat, checkReportFormats } from "../../picker/check/report-check.ts";
import { areCertificates, isPair } from "../../picker/credentials/check-trust.ts";
import type { Headers } from "../../picker/transport/transport.ts";
import type { Invocation } from "../command.ts";
import { numberProblems, flagText } from "../flags/flag-values.ts";
import { nearestName } from "../../api/nearest-name.ts";

/** The settings of `trimtab picker check`. */
export interface CheckSettings {
  readonly url: string;
  readonly target: Pick<ProbeTarget, "protocol" | "host" | "port" | "path" | "tls">;
  readonly headers: Headers;
  /** Absent: those of the workload, or invented ones. */
  readonly candidates?: readonly string[];
  readonly workload?: { readonly kind: WorkloadKind; readonly name: string };
  readonly namespace?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly limitMs: number;
  readonly largest: number;
  readonly format: ReportFormat;
  readonly isStrict: boolean;
}

export type WorkloadKind = "Deployment" | "ReplicaSet";

export type ReadCheckSettings =
  | { readonly ok: true; readonly settings: CheckSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

const actions = ["check", "serve"];

/** Reads the operands and flags of `trimtab picker`; the problems are one sentence each. */
export function readCheckSettings({ arguments: words, flags }: Invocation): ReadCheckSettings {
  const problems: string[] = [];
  const keep = <T>(read: Read<T>): T | undefined => {
    if (read.ok) return read.value;
    problems.push(read.problem);
    return undefined;
  };
  const url = keep(readOperands(words));
  const tls = keep(readTls(flags));
  const target = url === undefined || tls === undefined ? undefined : keep(readTarget(url, tls));
  const headers = keep(readHeaders(flags));
  const limitMs = keep(readTimeout(flagText(flags, "timeout")));
  const pods = keep(readPods(flags));
  const format = keep(readFormat(flagText(flags, "output")));
  problems.push(...numberProblems(flags, "large", { least: 2, most: 5000 }));
  if (
    problems.length > 0 ||
    url === undefined ||
    target === undefined ||
    headers === undefined ||
    limitMs === undefined ||
    format === undefined
  )
    return { ok: false, problems };
  const largest = Number(flagText(flags, "large"));
  const isStrict = flags["strict"] === true;
  return { ok: true, settings: { url, target, headers, limitMs, largest, format, isStrict, ...pods } };
}

type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

function value<T>(found: T): Read<T> {
  return { ok: true, value: found };
}

function problem(text: string): Read<never> {
  return { ok: false, problem: text };
}

function readOperands([action, url, ...rest]: readonly string[]): Read<string> {
  const usage =
    "say what to check: trimtab picker check http://HOST:PORT/PATH, or what to serve: trimtab picker serve --config FILE";
  if (action === undefined) return problem(usage);
  if (!actions.includes(action)) {
    const meant = nearestName(action, actions);
    return problem(
      `unknown word ${JSON.stringify(action)}${meant === undefined ? `: ${usage}` : `; did you mean "${meant}"?`}`,
    );
  }
  if (url === undefined) return problem(usage);
  return rest.length === 0 ? value(url) : problem(`there is one URL to check, not ${rest.length + 1}`);
}

function readTarget(url: string, tls: ProbeTls): Read<CheckSettings["target"]> {
  const read = readPickerUrl(url, tls);
  return read.ok ? value(read.target) : read;
}

/** The files of TLS, read. */
function readTls(flags: Invocation["flags"]): Read<ProbeTls> {
  const names = { ca: "ca", certificate: "cert", key: "key" };
  const tls: Record<string, string> = {};
  for (const [member, flag] of Object.entries(names)) {
    if (flags[flag] === undefined) continue;
    const file = readTextFile(flagText(flags, flag));
    if (!file.ok) return problem(`--${flag} ${flagText(flags, flag)}: ${file.reason}`);
    tls[member] = file.text;
  }
  if (flags["server-name"] !== undefined) tls["serverName"] = flagText(flags, "server-name");
  const wrong = problemWithTls(tls);
  return wrong === undefined ? value(tls) : problem(wrong);
}

function problemWithTls({ ca, certificate, key }: ProbeTls): string | undefined {
  if (ca !== undefined && !areCertificates(ca)) return "--ca must be a file of certificates in PEM";
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) return "--cert and --key need each other";
  return isPair({ certificate, key })
    ? undefined
    : "--cert and --key must be files of a certificate and its key in PEM";
}

const headerForm = /^([-A-Za-z0-9]+)\s*:(.*)$/;

function readHeaders(flags: Invocation["flags"]): Read<Headers> {
  const headers: (readonly [string, string])[] = [];
  for (const text of [flags["header"] ?? []].flat()) {
    const [, name, content] = headerForm.exec(String(text)) ?? [];
    if (name === undefined || content === undefined) return problem("--header must be NAME:VALUE");
    headers.push([name.toLowerCase(), content.trimStart()]);
  }
  if (flags["token-file"] === undefined) return value(headers);
  const file = readTextFile(flagText(flags, "token-file"));
  if (!file.ok) return problem(`--token-file ${flagText(flags, "token-file")}: ${file.reason}`);
  return value([...headers, ...tokenHeader(file.text.trim())]);
}

function readTimeout(text: string): Read<number> {
  const limitMs = parseDuration(text);
  return limitMs !== undefined && limitMs >= 1 && limitMs <= 30_000
    ? value(limitMs)
    : problem("--timeout must be a duration from 1ms to 30s, such as 1s");
}

function readFormat(text: string): Read<ReportFormat> {
  const format = checkReportFormats.find((known) => known === text);
  return format === undefined
    ? problem(`--output must be one of ${checkReportFormats.join(", ")}`)
    : value(format);
}

const kinds: ReadonlyMap<string, WorkloadKind> = new Map([
  ["deploy", "Deployment"],
  ["deployment", "Deployment"],
  ["deployments", "Deployment"],
  ["rs", "ReplicaSet"],
  ["replicaset", "ReplicaSet"],
  ["replicasets", "ReplicaSet"],
]);

type Pods = Pick<CheckSettings, "candidates" | "workload" | "namespace" | "kubeconfig" | "context">;

function readPods(flags: Invocation["flags"]): Read<Pods> {
  const given = (name: string) => (flags[name] === undefined ? {} : { [name]: flagText(flags, name) });
  const places = { ...given("namespace"), ...given("kubeconfig"), ...given("context") };
  if (flags["workload"] === undefined) return readCandidates(flags, places);
  if (flags["candidates"] !== undefined) return problem("--candidates and --workload exclude each other");
  const [kind = "", name = "", ...rest] = flagText(flags, "workload").split("/");
  const known = kinds.get(kind.toLowerCase());
  if (known === undefined || name === "" || rest.length > 0)
    return problem("--workload must be deploy/NAME or rs/NAME");
  return value({ ...places, workload: { kind: known, name } });
}

function readCandidates(flags: Invocation["flags"], places: Pods): Read<Pods> {
  if (flags["candidates"] === undefined) return value(places);
  const candidates = [
    ...new Set(
      flagText(flags, "candidates")
        .split(",")
        .map((name) => name.trim()),
    ),
  ];
  return candidates.length < 2 || candidates.includes("")
    ? problem("--candidates must be the names of at least two Pods: a,b,c")
    : value({ ...places, candidates });
}
