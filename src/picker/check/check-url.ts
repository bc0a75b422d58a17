import type { Headers } from "../transport/transport.ts";
import type { PickerProbe, ProbeTarget, ProbeTls } from "./probe.ts";

export type ReadUrl =
  | { readonly ok: true; readonly target: Pick<ProbeTarget, "protocol" | "host" | "port" | "path" | "tls"> }
  | { readonly ok: false; readonly problem: string };

interface Scheme {
  readonly protocol: ProbeTarget["protocol"];
  readonly port: number;
  readonly isTls: boolean;
}

const schemes: ReadonlyMap<string, Scheme> = new Map([
  ["http:", { protocol: "http", port: 80, isTls: false }],
  ["https:", { protocol: "http", port: 443, isTls: true }],
  ["grpc:", { protocol: "grpc", port: 80, isTls: false }],
  ["grpcs:", { protocol: "grpc", port: 443, isTls: true }],
]);

const form = "the URL of a picker is http://HOST:PORT/PATH, https://…, grpc://HOST:PORT or grpcs://HOST:PORT";

/** Reads the URL of a picker. */
export function readPickerUrl(text: string, tls: ProbeTls = {}): ReadUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const scheme = schemes.get(url?.protocol ?? "");
  if (url === undefined || scheme === undefined || url.hostname === "") return { ok: false, problem: form };
  const problem = problemWith(url, scheme, tls);
  if (problem !== undefined) return { ok: false, problem };
  return { ok: true, target: targetOf(url, scheme, tls) };
}

type Target = Extract<ReadUrl, { readonly ok: true }>["target"];

function targetOf(url: URL, { protocol, port, isTls }: Scheme, tls: ProbeTls): Target {
  return {
    protocol,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? port : Number(url.port),
    path: `${url.pathname === "" ? "/" : url.pathname}${url.search}`,
    tls: isTls ? tls : undefined,
  };
}

function problemWith(url: URL, { protocol, isTls }: Scheme, tls: ProbeTls): string | undefined {
  if (`${url.username}${url.password}${url.hash}` !== "")
    return "the URL of a picker has no user, password or fragment";
  if (protocol === "grpc" && `${url.pathname}${url.search}`.replace("/", "") !== "")
    return "the URL of a picker over gRPC has no path";
  return !isTls && Object.values(tls).some((each) => each !== undefined)
    ? "a CA, a certificate or a server name needs https:// or grpcs://"
    : undefined;
}

/** Loads what the protocol needs. */
export async function probeOf(target: ProbeTarget): Promise<PickerProbe> {
  return target.protocol === "http"
    ? (await import("./http-probe.ts")).httpProbe(target)
    : (await import("./grpc-probe.ts")).grpcProbe(target);
}

/** The header of a token, as the controller would send it. */
export function tokenHeader(token: string): Headers {
  return [["authorization", `Bearer ${token}`]];
}
