import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { events, pods } from "../../../src/api/resources.ts";
import { WallClock } from "../../../src/machinery/clock/wall-clock.ts";
import { stories } from "../stories.ts";
import { applyText } from "./apply-text.ts";
import { PagePicker } from "./page-picker.ts";
import { PlaySession } from "./play-session.ts";

const scenario = readFileSync("ui/playground/scenarios/welcome.yaml", "utf8");
const signal = new AbortController().signal;

const host = () => ({
  wall: new WallClock(),
  picker: new PagePicker(() => undefined),
  changed: () => undefined,
});

/** A session whose time passes by steps only. */
async function paused(text: string, moments: readonly number[] = []) {
  const session = await PlaySession.start({ scenario: text, seed: 3, moments }, host());
  await session.pace.change({ to: "pause" });
  const step = (ms: number) => session.pace.change({ to: "step", ms });
  const names = async () => {
    const { items } = await session.started.cluster.client.list(pods, {});
    return items.map(({ metadata, spec }) => `${metadata.name} ${metadata.uid} ${spec.nodeName}`);
  };
  return { session, step, names };
}

test("what a reader did is part of the scenario, and its replay is the same cluster", async () => {
  const first = await paused(scenario);
  await first.step(60_000 - first.session.pace.state.passedMs);
  await first.session.act(
    { action: "scale", kind: "Deployment", namespace: "default", name: "web", replicas: 5 },
    signal,
  );
  await first.step(10_000);
  await first.session.act({ action: "fail", zone: "zone-b" }, signal);
  await first.step(1_800_000);
  const { text } = first.session.scenario();
  expect(text).toContain("deployment/web");
  const again = await paused(text);
  await again.step(first.session.pace.state.passedMs - again.session.pace.state.passedMs);
  expect(await again.names()).toEqual(await first.names());
  first.session.end();
  again.session.end();
});

test("time stops at moments, and a jump at the next decision", async () => {
  const { session, step } = await paused(scenario, [30]);
  await step(60_000);
  expect(session.pace.state).toMatchObject({ passedMs: 30_000, paused: true, moment: 0 });
  await step(60_000);
  await session.act(
    { action: "scale", kind: "Deployment", namespace: "default", name: "web", replicas: 3 },
    signal,
  );
  await session.pace.change({ to: "decision" });
  expect(session.pace.state.passedMs).toBeLessThanOrEqual(91_000);
  session.end();
});

test("time jumps to the next moment, which is the same cluster as without a jump", async () => {
  const { session, step, names } = await paused(scenario, [30, 400]);
  expect(session.pace.state).toMatchObject({ nextMoment: 0 });
  await session.pace.change({ to: "moment" });
  expect(session.pace.state).toMatchObject({ passedMs: 30_000, moment: 0, nextMoment: 1 });
  await session.pace.change({ to: "moment" });
  expect(session.pace.state).toMatchObject({ passedMs: 400_000, paused: true, moment: 1 });
  expect(session.pace.state.nextMoment).toBeUndefined();
  await session.pace.change({ to: "moment" });
  expect(session.pace.state.passedMs).toBe(400_000);
  const plain = await paused(scenario);
  await plain.step(400_000 - plain.session.pace.state.passedMs);
  expect(await names()).toEqual(await plain.names());
  await step(1);
  session.end();
  plain.session.end();
});

test("workloads are sampled past the end of the scenario, and the samples that are kept do not grow", async () => {
  const { session, step } = await paused(scenario.replace("duration: 1h", "duration: 1m"));
  const untilMs = 60_000 + 1500 * 1000;
  await step(untilMs - session.pace.state.passedMs);
  const { samples, fromSeconds, workloads } = session.series();
  expect(fromSeconds + samples - 1).toBe(untilMs / 1000);
  expect(samples).toBeLessThan(1440);
  const { ready = [], skew = [] } = workloads["Deployment default/web"] ?? {};
  expect([ready.length, ready.at(-1), skew.at(-1)]).toEqual([samples, 12, 0]);
  session.end();
});

test("while pickers hang they do not answer, and the order without them decides", async () => {
  const busy = readFileSync("ui/playground/scenarios/picker.yaml", "utf8");
  const { session, step } = await paused(busy);
  session.hangPickers(true);
  await step(180_000 - session.pace.state.passedMs);
  const { items } = await session.started.cluster.client.list(events, {});
  const reasons = items.map(({ reason, message }) => `${reason} ${message}`).join("\n");
  expect(reasons).toMatch(/Timeout/);
  expect(session.scenario().missing).toEqual(["pod pickers that hung"]);
  session.end();
});

test("manifests are applied in the namespace default unless they name another, and are part of the scenario", async () => {
  const { session } = await paused(scenario);
  const manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n";
  const applied = await applyText(manifest, session, signal);
  expect(applied).toEqual({ done: [expect.stringContaining("configmap/a")], problems: [] });
  expect(session.scenario().text).toContain("kind: ConfigMap");
  session.end();
});

test("manifests with mistakes are not applied, and each mistake has its place", async () => {
  const { session } = await paused(scenario);
  const applied = await applyText(
    "apiVersion: apps/v1\nkind: Deploymint\nmetadata: { name: a }\n",
    session,
    signal,
  );
  expect(applied).toEqual({
    done: [],
    problems: [expect.stringContaining('manifest:2:7: kind: Not found: "Deploymint"')],
  });
  session.end();
});

test.for(stories)(
  "the moments of $name are in order, and within its scenario",
  async ({ scenario: text, moments }) => {
    const session = await PlaySession.start({ scenario: await text(), seed: 1, moments: [] }, host());
    const times = moments.map(({ at }) => at * 1000);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    for (const time of times) expect(time).toBeLessThanOrEqual(session.started.run.durationMs);
    session.end();
  },
);
