import { expect, test } from "vitest";
import type { PodSpec } from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { placementWarnings } from "./placement-warnings.ts";

const zone = "failure-domain.beta.kubernetes.io/zone";
const why = 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead';
const expression = { matchExpressions: [{ key: zone, operator: "Exists" }] };

test.for<{ name: string; spec: Sent<PodSpec>; want: readonly string[] }>([
  { name: "nothing", spec: {}, want: [] },
  {
    name: "labels that are still used",
    spec: { nodeSelector: { "kubernetes.io/os": "linux" } },
    want: [],
  },
  {
    name: "a replaced label",
    spec: { nodeSelector: { [zone]: "a" } },
    want: [`spec.nodeSelector[${zone}]: ${why}`],
  },
  {
    name: "replaced labels in node affinity",
    spec: {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [expression] },
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: expression }],
        },
      },
    },
    want: [
      "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]",
      "preferredDuringSchedulingIgnoredDuringExecution[0].preference",
    ].map((at) => `spec.affinity.nodeAffinity.${at}.matchExpressions[0].key: ${zone} is ${why}`),
  },
  {
    name: "a preference for a value that no label has",
    spec: {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 1,
              preference: { matchExpressions: [{ key: "a", operator: "In", values: ["b", "c d"] }] },
            },
          ],
        },
      },
    },
    want: [
      expect.stringMatching(
        /^spec\.affinity\.nodeAffinity\.preferredDuringSchedulingIgnoredDuringExecution\[0\]\.preference\.matchExpressions\[0\]\.values\[1\]: c d is invalid, a valid label must be/,
      ) as string,
    ],
  },
  {
    name: "a spread over a replaced label, of no Pods",
    spec: {
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "DoNotSchedule" }],
    },
    want: [
      `spec.topologySpreadConstraints[0].topologyKey: ${zone} is ${why}`,
      "spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod",
    ],
  },
  {
    name: "anti-affinity to no Pods",
    spec: {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: "a", labelSelector: {} },
            { topologyKey: "b" },
          ],
        },
      },
    },
    want: [
      "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[1].labelSelector: a null labelSelector results in matching no pod",
    ],
  },
])("a Pod with $name gets its warnings", ({ spec, want }) => {
  expect(placementWarnings(spec, "spec")).toEqual(want);
});
