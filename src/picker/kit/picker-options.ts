import type { Clock } from "../../machinery/clock/clock.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { Metrics } from "../../machinery/metrics/metrics.ts";
import type { PickRequest, PodChoice } from "./pick-request.ts";
import type { Score } from "./score-pods.ts";

/** Decides by itself; `request.lowest` and `request.only` help. */
export type Pick = (request: PickRequest) => PodChoice | Promise<PodChoice>;

/** How a picker decides: by a score for each Pod, or by a choice among all of them. */
export type PickerHandler =
  | { readonly score: Score; readonly pick?: never; readonly concurrency?: number }
  | { readonly pick: Pick; readonly score?: never; readonly concurrency?: never };

export interface PickerSettingsOptions {
  /**
   * Callers have to send one of these tokens, as `Authorization: Bearer TOKEN`. A function is called for every request,
   * so that tokens can be rotated.
   */
  readonly token?: string | readonly string[] | (() => string | readonly string[]);
  /** Another header that has the token, without `Bearer`. */
  readonly tokenHeader?: string;
  /** The path of questions over HTTP; default: `/`. */
  readonly path?: string;
  /** How long an answer may take; default: 900, because the controller waits for one second by default. */
  readonly timeoutMs?: number;
  /** How many questions are answered at a time; default: 100. */
  readonly maxRequests?: number;
  /** Default: one line of JSON per message on standard error. */
  readonly log?: Logger;
  /** Default: those of `/metrics`. */
  readonly metrics?: Metrics;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** What `createPicker` is told. `concurrency` is how many scores are waited for at a time; default: 8. */
export type PickerOptions = PickerHandler & PickerSettingsOptions;

const optionNames: ReadonlySet<string> = new Set([
  "score",
  "pick",
  "concurrency",
  "token",
  "tokenHeader",
  "path",
  "timeoutMs",
  "maxRequests",
  "log",
  "metrics",
  "clock",
]);

/** What is wrong with the options of a picker, one sentence each. */
export function optionProblems(options: PickerOptions): readonly string[] {
  const unknown = Object.keys(options).filter((name) => !optionNames.has(name));
  return [
    ...unknown.map((name) => `there is no option ${name}: there are ${[...optionNames].join(", ")}`),
    ...handlerProblems(options),
    ...limitProblems("concurrency", options.concurrency, 1000),
    ...limitProblems("timeoutMs", options.timeoutMs, 30_000),
    ...limitProblems("maxRequests", options.maxRequests, 10_000),
    ...pathProblems(options.path),
    ...tokenProblems(options),
  ];
}

function handlerProblems({ score, pick }: { readonly score?: unknown; readonly pick?: unknown }): string[] {
  if (score === undefined && pick === undefined) return ["one of score and pick is required"];
  if (score !== undefined && pick !== undefined) return ["score and pick exclude each other"];
  return typeof (score ?? pick) === "function"
    ? []
    : [`${score === undefined ? "pick" : "score"} must be a function`];
}

function limitProblems(name: string, value: unknown, most: number): string[] {
  const isWithin = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
  return value === undefined || isWithin ? [] : [`${name} must be a whole number from 1 to ${most}`];
}

const servedPaths: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

function pathProblems(path: unknown): string[] {
  if (path === undefined) return [];
  if (typeof path !== "string" || !/^\/[^\s?#]*$/.test(path))
    return ["path must begin with / and have no spaces, ? or #"];
  return servedPaths.has(path) ? [`path must not be ${path}, which the kit serves itself`] : [];
}

function tokenProblems(options: PickerOptions): string[] {
  const { token } = options;
  // `token: process.env.TOKEN` must not leave the picker open when the variable is not set, or empty.
  if ("token" in options && token === undefined)
    return ["token is undefined: leave it out if callers need none"];
  if (token === undefined || typeof token === "function") return headerProblems(options);
  const tokens = [token].flat();
  const areTexts = tokens.length > 0 && tokens.every((each) => typeof each === "string" && each !== "");
  return areTexts ? headerProblems(options) : ["token must not be empty: leave it out if callers need none"];
}

function headerProblems({ token, tokenHeader }: PickerOptions): string[] {
  if (tokenHeader === undefined) return [];
  if (token === undefined) return ["tokenHeader needs a token"];
  return /^[A-Za-z0-9-]+$/.test(tokenHeader) ? [] : ["tokenHeader must be the name of a header"];
}
