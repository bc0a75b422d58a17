import { createServer, type RequestListener, type Server } from "node:http";
import { type Clock, elapsedMs } from "../../machinery/clock/clock.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { readAsStream } from "../../machinery/https-server/wait-for-drain.ts";
import { requestDeadlines } from "../../machinery/https-server/bind-server.ts";
import type { Metrics } from "../../machinery/metrics/metrics.ts";
import { Answering, type PickAnswer } from "./answer-questions.ts";
import { authenticator } from "./authenticate.ts";
import { httpListener } from "./http-listener.ts";
import { kitMetrics, type KitMetrics } from "./kit-metrics.ts";
import { type ListenOptions, listenProblems, type Listening, listenOn, type ServedPicker } from "./listen.ts";
import type { PickQuestion } from "./pick-request.ts";
import { optionProblems, type PickFunction, type PickerOptions } from "./picker-options.ts";
import { scorePods } from "./score-pods.ts";
import { formatMicroTime } from "../../api/time.ts";
import { loggableFields } from "../../machinery/log/log-fields.ts";
import type { LogFields, Logger, LogLevel } from "../../machinery/log/logger.ts";

/** A picker that may listen on ports of its own, or be part of another server. */
export interface Picker {
  /** Listens on one port for both protocols, or on one for each; rejects with a sentence if it cannot. */
  readonly listen: (options: ListenOptions) => Promise<Listening>;
  /** Answers questions over HTTP in a server that you have already. */
  readonly requestListener: RequestListener;
  /** Answers a question without a network: for your tests. Never rejects. */
  readonly answer: (question: PickQuestion) => Promise<PickAnswer>;
  /** Accepts no more questions, finishes those in flight within `graceMs` (default: 5000), and closes the ports. */
  readonly stop: (options?: { readonly graceMs?: number }) => Promise<void>;
}

/** Creates a picker; throws a sentence for each option that is wrong. */
export function createPicker(options: PickerOptions): Picker {
  throwProblems("createPicker", optionProblems(options));
  const { clock = new WallClock(), timeoutMs = 900, maxRequests = 100, path = "/" } = options;
  const log = options.log ?? lineLogger(clock);
  const meters = lazyMetrics(options.metrics, () => answering.inFlight());
  const pick = handlerOf(options, { clock, onScored: () => meters.current().scored() });
  const answering = new Answering({ pick, clock, log, metrics: meters.current, timeoutMs, maxRequests });
  const isTrusted = authenticator(options, log);
  const requestListener = httpListener({ answering, isTrusted, path, metricsText: meters.text });
  const listening: ServedPicker[] = [];
  return {
    requestListener,
    answer: (question) =>
      answering.answer(() => Promise.resolve({ kind: "question", question }), { protocol: "http" }),
    async listen(listen) {
      throwProblems("listen", listenProblems(listen));
      await meters.load();
      const http = connectionServer(requestListener);
      const dependencies = { answering, isTrusted, clock, log, http, path };
      const served = await listenOn(listen, dependencies, options.token !== undefined).catch(
        (error: unknown) => {
          http.close();
          throw error;
        },
      );
      listening.push(served);
      const { url, grpcUrl } = served;
      return { ...(url !== undefined && { url }), ...(grpcUrl !== undefined && { grpcUrl }) };
    },
    async stop({ graceMs = 5000 } = {}) {
      const from = elapsedMs(clock);
      for (const each of listening) each.close();
      const timer = new AbortController();
      const late = clock.sleep(graceMs, timer.signal).catch(() => undefined); // aborted: all are answered
      await Promise.race([answering.stop(), late]);
      const leftMs = Math.max(0, graceMs - (elapsedMs(clock) - from));
      await Promise.all(listening.splice(0).map((each) => each.end(leftMs)));
      timer.abort();
    },
  };
}

function handlerOf(
  options: PickerOptions,
  scoring: { readonly clock: Clock; readonly onScored: () => void },
): PickFunction {
  const { score, pick, concurrency = 8 } = options;
  if (score === undefined) return pick;
  return (request) => scorePods(request, score, { ...scoring, concurrency });
}

function throwProblems(what: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`${what}: ${problems.join("; ")}`);
}

/** The metrics of a picker; the library behind `/metrics` is loaded by the first `listen`. */
function lazyMetrics(given: Metrics | undefined, inFlight: () => number) {
  let own: { readonly contentType: string; text(): Promise<string> } | undefined;
  const nothing: KitMetrics = { ended: () => undefined, scored: () => undefined };
  let current = given === undefined ? nothing : kitMetrics(given, inFlight);
  return {
    current: () => current,
    async load(): Promise<void> {
      if (given !== undefined || own !== undefined) return;
      const { prometheusMetrics } = await import("../../machinery/metrics/prometheus-metrics.ts");
      const metrics = prometheusMetrics();
      own = metrics;
      current = kitMetrics(metrics, inFlight);
    },
    text: async () => own && { contentType: own.contentType, text: await own.text() },
  };
}

/** Creates an HTTP server that gets its connections by `emit("connection")`; close it after them. */
function connectionServer(listener: RequestListener): Server {
  const server = createServer({ ...requestDeadlines, keepAliveTimeout: 65_000 }, listener);
  server.on("connection", readAsStream);
  // It never listens, but only from this event on Node knows its connections, closes idle ones and limits slow ones.
  server.emit("listening");
  return server;
}

const writeToStandardError = (line: string) => void process.stderr.write(line);

/** One line of JSON per message from level info on; errors have their stacks, because the author reads them. */
export function lineLogger(
  clock: Clock,
  write: (line: string) => void = writeToStandardError,
  own: LogFields = {},
): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      const time = formatMicroTime(clock.now());
      const loggable = loggableFields({ ...own, ...fields }, { stacks: true });
      write(`${JSON.stringify({ level, time, msg: message, ...loggable })}\n`);
    };
  return {
    debug: () => undefined,
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => lineLogger(clock, write, { ...own, ...fields }),
  };
}
