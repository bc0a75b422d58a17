import { expect, test } from "vitest";
import type { Toleration } from "../../../api/generated/core-v1.ts";
import { evictionDelayMs } from "./eviction-delay.ts";

const unreachable = { key: "node.kubernetes.io/unreachable", effect: "NoExecute" };
const broken = { key: "broken", value: "disk", effect: "NoExecute" };
const tolerating = (key: string, tolerationSeconds?: number): Toleration => ({
  key,
  operator: "Exists",
  effect: "NoExecute",
  ...(tolerationSeconds !== undefined && { tolerationSeconds }),
});

test.for([
  { name: "at once without a toleration", tolerations: [], want: 0 },
  { name: "after its time", tolerations: [tolerating(unreachable.key, 300)], want: 300_000 },
  { name: "at once after a negative time", tolerations: [tolerating(unreachable.key, -1)], want: 0 },
  { name: "never with a toleration for ever", tolerations: [tolerating(unreachable.key)], want: Infinity },
  {
    name: "at once for a second taint that it does not tolerate",
    taints: [unreachable, broken],
    tolerations: [tolerating(unreachable.key)],
    want: 0,
  },
  {
    name: "after the shorter of two times",
    taints: [unreachable, broken],
    tolerations: [tolerating(unreachable.key, 300), tolerating("broken", 20)],
    want: 20_000,
  },
  { name: "never when it tolerates everything", tolerations: [{ operator: "Exists" }], want: Infinity },
])("a Pod is evicted $name", ({ taints = [unreachable], tolerations, want }) => {
  expect(evictionDelayMs({ spec: { containers: [], tolerations } }, taints)).toBe(want);
});
