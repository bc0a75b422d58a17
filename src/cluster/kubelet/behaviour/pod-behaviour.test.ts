import { expect, test } from "vitest";
import type { Pod } from "../../../api/generated/core-v1.ts";
import { pullImage } from "../lifecycle/pull-image.ts";
import { defaultPodBehaviour, readPodBehaviour } from "./pod-behaviour.ts";

function annotated(annotations: Readonly<Record<string, string>>): Pod {
  return { metadata: { name: "web", uid: "u", resourceVersion: "1", annotations }, spec: { containers: [] } };
}

test.for([
  { name: "is the default without annotations", annotations: {}, want: {} },
  { name: "ignores annotations of others", annotations: { "example.com/startDelay": "9s" }, want: {} },
  {
    name: "reads durations",
    annotations: { "sim.trimtab.dev/startDelay": "3s", "sim.trimtab.dev/readyDelay": "500ms" },
    want: { startDelayMs: 3000, readyDelayMs: 500 },
  },
  {
    name: "reads flags",
    annotations: { "sim.trimtab.dev/ignoreSIGTERM": "true", "sim.trimtab.dev/neverReady": "true" },
    want: { ignoreSigterm: true, neverReady: true },
  },
  {
    name: "reads how an image is pulled",
    annotations: { "sim.trimtab.dev/imagePull": "slow:5s" },
    want: { imagePull: "ok", startDelayMs: 5000 },
  },
])("a behaviour $name", ({ annotations, want }) => {
  expect(readPodBehaviour(annotated(annotations))).toEqual({
    behaviour: { ...defaultPodBehaviour, ...want },
    problems: [],
  });
});

test.for([
  {
    key: "startDelay",
    value: "soon",
    problem:
      "sim.trimtab.dev/startDelay must be a duration such as 3s, a range such as 1s..5s, normal(MEAN,DEVIATION) or exp(MEAN)",
  },
  {
    key: "terminationDelay",
    value: "-1s",
    problem:
      "sim.trimtab.dev/terminationDelay must be a duration such as 3s, a range such as 1s..5s, normal(MEAN,DEVIATION) or exp(MEAN)",
  },
  { key: "neverReady", value: "yes", problem: "sim.trimtab.dev/neverReady must be true or false" },
  {
    key: "imagePull",
    value: "maybe",
    problem: "sim.trimtab.dev/imagePull must be ok, backoff or slow:DURATION",
  },
  {
    key: "__proto__",
    value: "x",
    problem: expect.stringMatching(/^sim\.trimtab\.dev\/__proto__ is not known/) as string,
  },
])("an annotation $key: $value is named and left out", ({ key, value, problem }) => {
  const { behaviour, problems } = readPodBehaviour(annotated({ [`sim.trimtab.dev/${key}`]: value }));
  expect(behaviour).toEqual(defaultPodBehaviour);
  expect(problems).toEqual([problem]);
});

const told = (settings: Readonly<Record<string, string>>) =>
  annotated(
    Object.fromEntries(Object.entries(settings).map(([key, value]) => [`sim.trimtab.dev/${key}`, value])),
  );

test.for([
  { value: "2s..4s", low: 2000, high: 4000 },
  { value: "normal(1s,100ms)", low: 0, high: 3000 },
  { value: "exp(1s)", low: 0, high: 60_000 },
])("a delay of $value is drawn anew for every Pod, and the same for the same one", ({ value, low, high }) => {
  const draw = (identity: string) =>
    readPodBehaviour(told({ startDelay: value }), { identity }).behaviour.startDelayMs;
  const drawn = Array.from({ length: 200 }, (_, index) => draw(`web/${index}`));
  expect(new Set(drawn).size).toBeGreaterThan(100);
  expect([Math.min(...drawn) >= low, Math.max(...drawn) <= high]).toEqual([true, true]);
  expect(drawn).toEqual(Array.from({ length: 200 }, (_, index) => draw(`web/${index}`)));
});

test("a seed draws other numbers, and jitter varies all delays by its share", () => {
  const { behaviour } = readPodBehaviour(told({ startDelay: "0s..1h" }));
  const seeded = readPodBehaviour(told({ startDelay: "0s..1h", seed: "monday" }));
  expect(seeded.behaviour.startDelayMs).not.toBe(behaviour.startDelayMs);
  const { startDelayMs, terminationDelayMs } = readPodBehaviour(told({ jitter: "20%" })).behaviour;
  expect(startDelayMs / defaultPodBehaviour.startDelayMs).toBeCloseTo(
    terminationDelayMs / defaultPodBehaviour.terminationDelayMs,
    2,
  );
  expect(Math.abs(startDelayMs / defaultPodBehaviour.startDelayMs - 1)).toBeLessThanOrEqual(0.2);
});

test("a Pod's own settings come before those of its label, its namespace and its node", () => {
  const pod = told({ startDelay: "1s" });
  const labelled = {
    ...pod,
    metadata: { ...pod.metadata, labels: { "sim.trimtab.dev/profile": "stubborn" } },
  };
  const { behaviour, problems } = readPodBehaviour(labelled, {
    namespace: {
      "sim.trimtab.dev/startDelay": "2s",
      "sim.trimtab.dev/ignoreSIGTERM": "false",
      "sim.trimtab.dev/readyDelay": "2s",
      "example.com/team": "blue",
    },
    node: { readyDelay: "3s", removalDelay: "3s" },
  });
  expect(problems).toEqual([]);
  expect(behaviour).toEqual({
    ...defaultPodBehaviour,
    startDelayMs: 1000,
    ignoreSigterm: true,
    readyDelayMs: 2000,
    removalDelayMs: 3000,
  });
});

test.for([
  { setting: "startDelay", value: "4s..2s" },
  { setting: "startDelay", value: "normal(1s)" },
  { setting: "crashExitCode", value: "256" },
  { setting: "crashLoop", value: "often" },
  { setting: "completeAfter", value: "later" },
  { setting: "startFailureRate", value: "120%" },
  { setting: "readyFlap", value: "1ms" },
  { setting: "profile", value: "tired" },
])("$setting: $value is named as a mistake", ({ setting, value }) => {
  const { behaviour, problems } = readPodBehaviour(told({ [setting]: value }));
  expect(problems).toEqual([expect.stringContaining(`sim.trimtab.dev/${setting}`)]);
  expect(behaviour).toEqual(defaultPodBehaviour);
});

test.for([
  { image: "nginx", ok: true },
  { image: "registry.example.com/app:v1", ok: true },
  { image: "webserver:404", ok: false },
  { image: "app:nonexistent", ok: false },
  { image: "registry.invalid/app:v1", ok: false },
  { image: "registry.invalid:5000/app", ok: false },
])("pulling $image by its name works: $ok", ({ image, ok }) => {
  expect(pullImage(image, "by-name").ok).toBe(ok);
  expect(pullImage(image, "ok").ok).toBe(true);
  expect(pullImage(image, "backoff").ok).toBe(false);
});
