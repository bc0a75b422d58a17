import type { JsonObject } from "../../api/json.ts";

/** A condition of readiness. */
export interface HealthCheck {
  readonly name: string;
  readonly ok: boolean;
}

/** Answers a path below `/debug/`; `undefined`: not found. Throws an `ApiError` for a query that makes no sense. */
export type DebugEndpoint = (path: string, query: URLSearchParams) => JsonObject | undefined;

/** Handles a POST to a path below `/debug/`; `undefined`: not found. */
export type DebugAction = (path: string, query: URLSearchParams) => Promise<JsonObject | undefined>;

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

/**
 * `GET /healthz`, `/livez`, `/readyz`, with `?verbose` and `?exclude=`, and one check of these by name; `undefined` for
 * any other path.
 */
export function healthResponse(
  diagnostics: Pick<Diagnostics, "readiness" | "liveness">,
  path: string,
  query: URLSearchParams,
): DiagnosticsResponse | undefined {
  const [, endpoint = "", wanted] = checkPath.exec(path) ?? [];
  if (endpoint === "") return undefined;
  const checks = checksOf(endpoint, diagnostics);
  if (wanted !== undefined) return singleResponse(checks.find(({ name }) => name === wanted));
  const excluded = new Set(query.getAll("exclude"));
  const ok = checks.every((check) => check.ok || excluded.has(check.name));
  const isBrief = ok && !query.has("verbose");
  return textResponse(ok, isBrief ? "ok" : report(endpoint, { checks, excluded, ok }));
}

function singleResponse(check: HealthCheck | undefined): DiagnosticsResponse | undefined {
  if (check === undefined) return undefined;
  return textResponse(check.ok, check.ok ? "ok" : `internal server error: ${check.name} failed\n`);
}

function textResponse(ok: boolean, body: string): DiagnosticsResponse {
  // upstream: healthz.go answers 500, not 503
  return { code: ok ? 200 : 500, type: "text/plain; charset=utf-8", body };
}

function checksOf(
  endpoint: string,
  { readiness, liveness = () => [] }: Pick<Diagnostics, "readiness" | "liveness">,
): readonly HealthCheck[] {
  const alive = [{ name: "ping", ok: true }, ...liveness()];
  return endpoint === "readyz" ? [...alive, ...readiness()] : alive;
}

interface HealthReport {
  readonly checks: readonly HealthCheck[];
  /** The names of checks to leave out; some may not exist. */
  readonly excluded: ReadonlySet<string>;
  readonly ok: boolean;
}

function report(endpoint: string, { checks, excluded, ok }: HealthReport): string {
  const lines = checks.map((check) => (excluded.has(check.name) ? excludedLine(check) : lineOf(check)));
  const names = new Set(checks.map(({ name }) => name));
  const unknown = [...excluded].filter((name) => !names.has(name));
  const warning = `warn: some health checks cannot be excluded: no matches for ${unknown.map((name) => JSON.stringify(name)).join(", ")}`;
  const verdict = `${endpoint} check ${ok ? "passed" : "failed"}`;
  return `${[...lines, ...(unknown.length > 0 ? [warning] : []), verdict].join("\n")}\n`;
}

/** Does not explain failures, because everyone may read this. */
function lineOf({ name, ok }: HealthCheck): string {
  return ok ? `[+]${name} ok` : `[-]${name} failed: reason withheld`;
}

function excludedLine({ name }: HealthCheck): string {
  return `[+]${name} excluded: ok`;
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
