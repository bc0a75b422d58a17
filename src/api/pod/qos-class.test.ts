import { expect, test } from "vitest";
import type { PodSpec } from "../generated/core-v1.ts";
import type { Sent } from "../sent.ts";
import { qosClass } from "./qos-class.ts";

const full = { cpu: "1", memory: "1Gi" };
const cases: readonly { name: string; spec: Sent<PodSpec>; want: string }[] = [
  { name: "that asks for nothing", spec: { containers: [{}] }, want: "BestEffort" },
  {
    name: "that asks for zero",
    spec: { containers: [{ resources: { requests: { cpu: "0" } } }] },
    want: "BestEffort",
  },
  {
    name: "that asks for a device only",
    spec: { containers: [{ resources: { limits: { "a/gpu": "1" } } }] },
    want: "BestEffort",
  },
  {
    name: "that asks for something",
    spec: { containers: [{ resources: { requests: { cpu: "1" } } }] },
    want: "Burstable",
  },
  {
    name: "that asks for exactly what it may use",
    spec: { containers: [{ resources: { requests: full, limits: { cpu: "1000m", memory: "1024Mi" } } }] },
    want: "Guaranteed",
  },
  {
    name: "one of whose containers does not say",
    spec: { containers: [{ resources: { requests: full, limits: full } }, {}] },
    want: "Burstable",
  },
  {
    name: "whose init container does not say",
    spec: { containers: [{ resources: { requests: full, limits: full } }], initContainers: [{}] },
    want: "Burstable",
  },
  {
    name: "that limits the processor only",
    spec: { containers: [{ resources: { requests: { cpu: "1" }, limits: { cpu: "1" } } }] },
    want: "Burstable",
  },
  {
    name: "that says it for all of them",
    spec: { resources: { requests: full, limits: full }, containers: [{}] },
    want: "Guaranteed",
  },
];

test.for(cases)("a Pod $name is $want", ({ spec, want }) => {
  expect(qosClass(spec)).toBe(want);
});
