import { expect, test } from "vitest";
import { prometheusMetrics } from "../../machinery/metrics/prometheus-metrics.ts";
import { memoryMetrics } from "../../testing/memory-metrics.ts";
import { schedulerMeter } from "./scheduler-meter.ts";

const profile = "default-scheduler";

test("every metric has the name, the kind and the buckets of kube-scheduler", async () => {
  const metrics = prometheusMetrics();
  const meter = schedulerMeter(metrics);
  meter.follow({ cache: () => ({ nodes: 3, pods: 2, assumed_pods: 1 }), binding: () => 0 });
  meter.queue.follow(() => 0);
  const text = await metrics.text();
  const kinds = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => `${name} ${kind}`);
  expect(kinds.sort()).toEqual([
    "scheduler_cache_size gauge",
    "scheduler_e2e_scheduling_duration_seconds histogram",
    "scheduler_event_handling_duration_seconds histogram",
    "scheduler_framework_extension_point_duration_seconds histogram",
    "scheduler_goroutines gauge",
    "scheduler_inflight_events gauge",
    "scheduler_pending_pods gauge",
    "scheduler_plugin_evaluation_total counter",
    "scheduler_plugin_execution_duration_seconds histogram",
    "scheduler_pod_scheduled_after_flush_total counter",
    "scheduler_pod_scheduling_attempts histogram",
    "scheduler_pod_scheduling_sli_duration_seconds histogram",
    "scheduler_preemption_attempts_total counter",
    "scheduler_preemption_goroutines_duration_seconds histogram",
    "scheduler_preemption_goroutines_execution_total counter",
    "scheduler_preemption_victims histogram",
    "scheduler_queue_incoming_pods_total counter",
    "scheduler_queueing_hint_execution_duration_seconds histogram",
    "scheduler_schedule_attempts_total counter",
    "scheduler_scheduling_algorithm_duration_seconds histogram",
    "scheduler_scheduling_attempt_duration_seconds histogram",
    "scheduler_unschedulable_pods gauge",
  ]);
  expect(text).toContain('scheduler_cache_size{type="assumed_pods"} 1');
  meter.pointTook("Score", 0.15, { profile, status: "Success" });
  expect(await metrics.text()).toMatch(
    /scheduler_framework_extension_point_duration_seconds_bucket\{le="0.0002",extension_point="Score",status="Success",profile="default-scheduler"\} 1/,
  );
});

test("the proposal's name for an attempt says the same as today's", () => {
  const metrics = memoryMetrics();
  const meter = schedulerMeter(metrics);
  meter.attemptEnded("scheduled", 250, profile);
  const labels = { result: "scheduled", profile };
  expect(metrics.observations("scheduler_scheduling_attempt_duration_seconds", labels)).toEqual([0.25]);
  expect(metrics.observations("scheduler_e2e_scheduling_duration_seconds", labels)).toEqual([0.25]);
  expect(metrics.value("scheduler_schedule_attempts_total", labels)).toBe(1);
});

test("from the fifteenth attempt on, attempts share one label", () => {
  const metrics = memoryMetrics();
  const meter = schedulerMeter(metrics);
  for (const attempts of [1, 14, 15, 99])
    meter.podScheduled({ attempts, durationMs: 1000, afterFlush: attempts > 50 });
  const waits = (attempts: string) =>
    metrics.observations("scheduler_pod_scheduling_sli_duration_seconds", { attempts });
  expect([waits("1"), waits("14"), waits("15+")]).toEqual([[1], [1], [1, 1]]);
  expect(metrics.value("scheduler_pod_scheduled_after_flush_total")).toBe(1);
});
