import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { ClientEventRecorder } from "../../machinery/events/event-recorder.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { Metrics } from "../../machinery/metrics/metrics.ts";
import type { Random } from "../../machinery/random/random.ts";
import { apiServerGuard } from "../addresses/api-server-guard.ts";
import { systemLookup } from "../addresses/lookup.ts";
import { createPicker, type Picker } from "../kit/create-picker.ts";
import type { PickerConfiguration } from "./configuration/picker-configuration.ts";
import { namespacesOf, type PickerRule, pickerRule } from "./configuration/picker-rule.ts";
import { RuleEvaluator } from "./evaluate-rule.ts";
import { needsPods, ruleSource } from "./rule-source.ts";
import { SourceEvents } from "./serve-events.ts";
import { serveMetrics } from "./serve-metrics.ts";
import { ServedPickers } from "./served-pickers.ts";
import { FollowedPods } from "./workload-pods.ts";

export interface ServePickersOptions {
  readonly configuration: PickerConfiguration;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The URL of the API server, which is never asked as a Pod. */
  readonly apiServer?: (() => string | undefined) | undefined;
  /** Whether Pods are simulated: they are asked where an annotation says, and their addresses are never dialled. */
  readonly isSimulated: boolean;
  /** Whether workloads and Pods are followed even if no rule needs them: to list them. */
  readonly listsPods?: boolean;
  /** The tokens that callers show; absent: they need none. */
  readonly token?: (() => string) | undefined;
  /** Aborts when the program ends. */
  readonly signal: AbortSignal;
}

/** The pickers of a configuration. */
export interface ServablePickers {
  /** Answers over the network. */
  readonly picker: Picker;
  /** Answers without a network, for `--check`. */
  readonly served: ServedPickers;
  readonly pods: FollowedPods;
  /** Whether questions can be answered: what the API says has been read. */
  readonly isReady: () => boolean;
  /** Follows the API until the signal aborts. */
  readonly run: () => Promise<void>;
  /** Resolves once what the API says has been read. */
  readonly ready: () => Promise<boolean>;
}

/** Longer than every source may take. */
const marginMs = 200;
const shortestTimeoutMs = 900;

/** Creates the pickers of a configuration; nothing is dialled yet. */
export function servablePickers(options: ServePickersOptions): ServablePickers {
  const { configuration, client, clock, log, metrics, signal, isSimulated, token } = options;
  const rules = configuration.pickers.map(pickerRule);
  const isFollowed = (rule: PickerRule) => options.listsPods === true || needsPods(rule);
  const pods = new FollowedPods({
    ...options,
    random: options.random.fork("informers"),
    namespaces: namespacesOf(rules.filter(isFollowed)),
  });
  const lookup = systemLookup({ clock });
  const isApiServer = apiServerGuard({ ...options, lookup });
  const sources = { client, lookup, pods, isSimulated, isApiServer };
  const events = new ClientEventRecorder({
    ...options,
    random: options.random.fork("events"),
    component: "trimtab-picker",
  });
  const served = new ServedPickers({
    evaluators: rules.map((rule) => new RuleEvaluator(ruleSource(rule, sources), { clock, log })),
    pods,
    clock,
    metrics: serveMetrics(metrics),
    events: new SourceEvents({ client, clock, log, events, signal }),
  });
  const follows = rules.some(isFollowed);
  return {
    picker: createPicker({
      pick: (request) => served.pick(request),
      timeoutMs: longestAnswerMs(rules),
      clock,
      log,
      metrics,
      ...(token !== undefined && { token }),
    }),
    served,
    pods,
    isReady: () => !follows || pods.hasSynced,
    run: () => (follows ? pods.run(signal) : Promise.resolve()),
    ready: () => (follows ? pods.synced(signal) : Promise.resolve(true)),
  };
}

function longestAnswerMs(rules: readonly PickerRule[]): number {
  const longest = Math.max(...rules.map(({ timeoutMs }) => timeoutMs)) + marginMs;
  return Math.min(30_000, Math.max(shortestTimeoutMs, longest));
}
