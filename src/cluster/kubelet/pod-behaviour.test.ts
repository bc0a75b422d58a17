import { expect, test } from "vitest";
import type { Pod } from "../../api/generated/core-v1.ts";
import { pullImage } from "./pull-image.ts";
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
