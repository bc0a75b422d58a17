import { describe, expect, test } from "vitest";
import type { PodTemplateSpec } from "../../api/generated/core-v1.ts";
import { podTemplate } from "../../testing/deployment.ts";
import { hashTemplate, isSameTemplate, withoutHash } from "./pod-template.ts";

const base = podTemplate("app:1");

/** The template with a container that has more to it; whatever an API server might send, typed or not. */
function container(more: object): PodTemplateSpec {
  return { ...base, spec: { containers: [{ name: "app", image: "app:1", ...more }] } };
}

function spec(more: object): PodTemplateSpec {
  return { ...base, spec: { containers: [{ name: "app", image: "app:1" }], ...more } };
}

function metadata(more: object): PodTemplateSpec {
  return { ...base, metadata: { labels: { app: "web" }, ...more } };
}

describe("templates are the same", () => {
  test.for([
    { name: "with different hashes", a: podTemplate("app:1", "abc"), b: podTemplate("app:1", "def") },
    { name: "with and without a hash", a: podTemplate("app:1", "abc"), b: base },
    {
      name: "with members in another order",
      a: container({ tty: true, args: ["x"] }),
      b: container({ args: ["x"], tty: true }),
    },
    {
      name: "with null, empty and no annotations",
      a: metadata({ annotations: null }),
      b: metadata({ annotations: {} }),
    },
    { name: "with an empty list and none", a: spec({ volumes: [] }), b: spec({}) },
    {
      name: "with a false that means nothing else than absence",
      a: spec({ hostNetwork: false }),
      b: spec({}),
    },
    { name: "with empty resources and none", a: container({ resources: {} }), b: container({}) },
    {
      name: "with one amount written in two ways",
      a: container({ resources: { limits: { cpu: "1000m", memory: "1024Mi" } } }),
      b: container({ resources: { limits: { cpu: 1, memory: "1Gi" } } }),
    },
    {
      name: "with one instant written in two ways",
      a: metadata({ creationTimestamp: "2026-01-01T00:00:00Z" }),
      b: metadata({ creationTimestamp: "2026-01-01T01:00:00+01:00" }),
    },
    { name: "with a null timestamp and none", a: metadata({ creationTimestamp: null }), b: metadata({}) },
  ])("$name", ({ a, b }) => {
    expect(isSameTemplate(a, b)).toBe(true);
  });
});

describe("templates differ", () => {
  test.for([
    { name: "by image", a: podTemplate("app:1"), b: podTemplate("app:2") },
    { name: "by label", a: metadata({}), b: metadata({ labels: { app: "api" } }) },
    {
      name: "by a label without a value",
      a: metadata({}),
      b: metadata({ labels: { app: "web", beta: "" } }),
    },
    { name: "by annotation", a: metadata({}), b: metadata({ annotations: { restartedAt: "now" } }) },
    {
      name: "by the order of a list",
      a: container({ args: ["a", "b"] }),
      b: container({ args: ["b", "a"] }),
    },
    { name: "by an empty argument", a: container({ args: [""] }), b: container({}) },
    {
      name: "by amount",
      a: container({ resources: { limits: { cpu: "1" } } }),
      b: container({ resources: { limits: { cpu: "2" } } }),
    },
    { name: "by a zero that is not absence", a: spec({ terminationGracePeriodSeconds: 0 }), b: spec({}) },
    {
      name: "by an empty object that is not absence",
      a: container({ securityContext: {} }),
      b: container({}),
    },
    {
      name: "by a kind of volume",
      a: spec({ volumes: [{ name: "v", emptyDir: {} }] }),
      b: spec({ volumes: [{ name: "v" }] }),
    },
    { name: "by an unknown field", a: spec({ tomorrow: 1 }), b: spec({}) },
  ])("$name", ({ a, b }) => {
    expect(isSameTemplate(a, b)).toBe(false);
  });
});

test("taking the hash away leaves everything else", () => {
  expect(withoutHash(podTemplate("app:1", "abc"))).toEqual(podTemplate("app:1"));
});

test("a hash is written with digits and consonants alone", () => {
  expect(hashTemplate(podTemplate("app:1"))).toMatch(/^[4-9bcdf]{1,10}$/);
});

test("a hash does not depend on an earlier hash", () => {
  expect(hashTemplate(podTemplate("app:1", "abc"))).toBe(hashTemplate(podTemplate("app:1")));
});

test("a thousand similar templates have a thousand hashes", () => {
  const hashes = Array.from({ length: 1000 }, (_, index) => hashTemplate(podTemplate(`app:${index}`)));
  expect(new Set(hashes).size).toBe(1000);
});

test("each collision leads to another hash, the count of 0 included", () => {
  const template = podTemplate("app:1");
  const hashes = [undefined, 0, 1, 2, 3].map((count) => hashTemplate(template, count));
  expect(new Set(hashes).size).toBe(5);
  expect(hashTemplate(template, null)).toBe(hashTemplate(template));
});
