import { expect, test } from "vitest";
import { nodeDraft, startSchedulerFixture } from "./fixture.ts";

const profile = "default-scheduler";

test("what a scheduler does can be read from its metrics", async () => {
  const { createPod, clock, metrics } = await startSchedulerFixture({
    nodes: [nodeDraft("n"), nodeDraft("m")],
  });
  for (let index = 0; index < 20; index++) await createPod(`p${index}`);
  await createPod("stuck", { spec: { nodeSelector: { disk: "ssd" } } });
  await clock.advance(1000);
  const count = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    metrics.observations(`scheduler_${name}`, labels).length;
  const value = (name: string, labels: Readonly<Record<string, string>>) =>
    metrics.value(`scheduler_${name}`, labels);

  const at = (extension_point: string, status = "Success") => ({ extension_point, status, profile });
  expect(count("framework_extension_point_duration_seconds", at("Filter"))).toBe(20);
  expect(count("framework_extension_point_duration_seconds", at("Filter", "Unschedulable"))).toBe(1);
  expect(count("framework_extension_point_duration_seconds", at("PreScore"))).toBe(20);
  expect(count("framework_extension_point_duration_seconds", at("Bind"))).toBe(20);
  expect(count("scheduling_algorithm_duration_seconds")).toBe(21);
  expect(count("pod_scheduling_sli_duration_seconds", { attempts: "1" })).toBe(20);
  const inDetail = { plugin: "TaintToleration", extension_point: "Filter", status: "Success" };
  expect(count("plugin_execution_duration_seconds", inDetail)).toBe(2);
  expect(value("schedule_attempts_total", { result: "scheduled", profile })).toBe(20);
  expect(value("schedule_attempts_total", { result: "unschedulable", profile })).toBe(1);
  const evaluated = { plugin: "NodeResourcesFit", extension_point: "Filter", profile };
  expect(value("plugin_evaluation_total", evaluated)).toBe(21);
  expect(value("unschedulable_pods", { plugin: "NodeAffinity", profile })).toBe(1);
  expect(value("pending_pods", { queue: "unschedulable" })).toBe(1);
  expect(value("queue_incoming_pods_total", { queue: "active", event: "UnscheduledPodAdd" })).toBe(21);
  expect(value("cache_size", { type: "nodes" })).toBe(2);
  expect(value("cache_size", { type: "pods" })).toBe(20);
  expect(value("cache_size", { type: "assumed_pods" })).toBe(0);
  expect(count("event_handling_duration_seconds", { event: "NodeAdd" })).toBe(2);
});
