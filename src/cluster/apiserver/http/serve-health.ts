import type { HealthCheck } from "../../../machinery/diagnostics/serve-diagnostics.ts";
import type { Exchange } from "./http-dependencies.ts";
import { sendText } from "./response/send-response.ts";

/** Answers questions about the server's health, which anyone may ask; `false` for any other path. */
export function serveHealth({ response, deps, url }: Exchange, path: string): boolean {
  const [, question = "", wanted] = /^\/(healthz|livez|readyz)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (question === "") return false;
  const ping = { name: "ping", ok: true };
  const all = question === "readyz" ? [ping, ...deps.readiness()] : [ping];
  const checks = wanted === undefined ? all : all.filter(({ name }) => name === wanted);
  if (checks.length === 0) return false;
  const ok = checks.every((check) => check.ok);
  const brief = ok && !url.searchParams.has("verbose");
  sendText(response, brief ? "ok" : report(question, checks, ok), {
    code: ok ? 200 : 500,
    type: "text/plain; charset=utf-8",
    headers: { "X-Content-Type-Options": "nosniff" },
  });
  return true;
}

function report(question: string, checks: readonly HealthCheck[], ok: boolean): string {
  const lines = checks.map((check) => `[${check.ok ? "+" : "-"}]${check.name} ${check.ok ? "ok" : "failed"}`);
  return `${[...lines, `${question} check ${ok ? "passed" : "failed"}`].join("\n")}\n`;
}
