import type { JsonObject } from "../../api/json.ts";

/** A condition of readiness. */
export interface HealthCheck {
  readonly name: string;
  readonly ok: boolean;
}

/** Answers a path below `/debug/`; `undefined`: not found. */
export type DebugEndpoint = (path: string, query: URLSearchParams) => JsonObject | undefined;

/** What a program shows its operators. */
export interface Diagnostics {
  /** The checks of `/readyz`. */
  readonly readiness: () => readonly HealthCheck[];
  /** The checks of `/livez`, `/healthz` and `/readyz`; absent: they only say that the program answers. */
  readonly liveness?: (() => readonly HealthCheck[]) | undefined;
  /** The text of `/metrics`; absent: not found. */
  readonly metrics?: (() => string | Promise<string>) | undefined;
  readonly debug?: DebugEndpoint | undefined;
}

/** An HTTP response, but for how it is sent. */
export interface DiagnosticsResponse {
  readonly code: number;
  readonly type: string;
  readonly body: string;
}

const healthPath = /^\/(healthz|livez|readyz)(?:\/([^/]+))?$/;
/** The checks of an API server have names of several parts. */
const checkPath = /^\/(healthz|livez|readyz)(?:\/([\w/-]+))?$/;

/** Whether a path shows health, which everyone may read. */
export function isHealth(path: string): boolean {
  return healthPath.test(path);
}

/** `GET /healthz`, `/livez`, `/readyz`, one check of these by name, `?verbose`; `undefined` for any other path. */
export function healthResponse(
  diagnostics: Pick<Diagnostics, "readiness" | "liveness">,
  path: string,
  query: URLSearchParams,
): DiagnosticsResponse | undefined {
  const [, endpoint = "", wanted] = checkPath.exec(path) ?? [];
  if (endpoint === "") return undefined;
  const all = checksOf(endpoint, diagnostics);
  const checks = wanted === undefined ? all : all.filter(({ name }) => name === wanted);
  if (checks.length === 0) return undefined;
  const ok = checks.every((check) => check.ok);
  const isBrief = ok && !query.has("verbose");
  return {
    code: ok ? 200 : 500, // upstream: healthz.go answers 500, not 503
    type: "text/plain; charset=utf-8",
    body: isBrief ? "ok" : report(endpoint, checks, ok),
  };
}

function checksOf(
  endpoint: string,
  { readiness, liveness = () => [] }: Pick<Diagnostics, "readiness" | "liveness">,
): readonly HealthCheck[] {
  const alive = [{ name: "ping", ok: true }, ...liveness()];
  return endpoint === "readyz" ? [...alive, ...readiness()] : alive;
}

function report(endpoint: string, checks: readonly HealthCheck[], ok: boolean): string {
  const lines = checks.map((check) => `[${check.ok ? "+" : "-"}]${check.name} ${check.ok ? "ok" : "failed"}`);
  return `${[...lines, `${endpoint} check ${ok ? "passed" : "failed"}`].join("\n")}\n`;
}

/** Whether a path shows what only administrators may read. */
export function isPrivileged(path: string): boolean {
  return path === "/metrics" || path.startsWith("/debug/");
}

/** `GET /metrics` and everything below `/debug/`; `undefined`: not found. */
export async function privilegedResponse(
  { metrics, debug }: Pick<Diagnostics, "metrics" | "debug">,
  path: string,
  query: URLSearchParams,
): Promise<DiagnosticsResponse | undefined> {
  if (path === "/metrics" && metrics !== undefined)
    return { code: 200, type: "text/plain; version=0.0.4; charset=utf-8", body: await metrics() };
  const value = path.startsWith("/debug/") ? debug?.(path, query) : undefined;
  return value === undefined
    ? undefined
    : { code: 200, type: "application/json", body: JSON.stringify(value) };
}
