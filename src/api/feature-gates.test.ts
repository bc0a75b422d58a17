import { describe, expect, test } from "vitest";
import {
  defaultFeatureGates,
  type FeatureGates,
  externalClusterFeatureGates,
  parseFeatureGates,
} from "./feature-gates.ts";

const known =
  "DefaultPodTopologySpread, DeploymentPodReplacementPolicy, DeploymentReplicaSetTerminatingReplicas, DownscalePodPicker, LogarithmicScaleDown, MaxUnavailableStatefulSet, PodDeletionCost, PodRemovalProtection, PreferForScaleDownLabel, TopologyAwareScaleDown";

test("every gate but three is on by default, and the picker is off in a cluster that is not ours", () => {
  const {
    TopologyAwareScaleDown: isSpread,
    MaxUnavailableStatefulSet: isAtOnce,
    PodRemovalProtection: isProtecting,
    ...others
  } = defaultFeatureGates;
  expect([isSpread, isAtOnce, isProtecting]).toEqual([false, false, false]);
  expect(Object.values(others)).not.toContain(false);
  expect(externalClusterFeatureGates).toEqual({ ...defaultFeatureGates, DownscalePodPicker: false });
});

describe("parseFeatureGates takes", () => {
  test.for<{ text: string; changed: Partial<FeatureGates> }>([
    { text: "", changed: {} },
    { text: " , ", changed: {} },
    { text: "PodDeletionCost=false", changed: { PodDeletionCost: false } },
    {
      text: " PodDeletionCost = False , DownscalePodPicker=0",
      changed: { PodDeletionCost: false, DownscalePodPicker: false },
    },
    { text: "PodDeletionCost=false,PodDeletionCost=t", changed: {} },
    { text: "DeploymentPodReplacementPolicy=false", changed: { DeploymentPodReplacementPolicy: false } },
    {
      text: "DeploymentReplicaSetTerminatingReplicas=false",
      changed: { DeploymentReplicaSetTerminatingReplicas: false, DeploymentPodReplacementPolicy: false },
    },
  ])("$text", ({ text, changed }) => {
    expect(parseFeatureGates(text)).toEqual({ ok: true, gates: { ...defaultFeatureGates, ...changed } });
  });

  test("another base, which it leaves alone", () => {
    expect(parseFeatureGates("PodDeletionCost=false", externalClusterFeatureGates)).toEqual({
      ok: true,
      gates: { ...defaultFeatureGates, DownscalePodPicker: false, PodDeletionCost: false },
    });
    expect(externalClusterFeatureGates.PodDeletionCost).toBe(true);
  });
});

describe("parseFeatureGates refuses", () => {
  test.for([
    { text: "Nope=true", want: [`unrecognized feature gate: Nope (known: ${known})`] },
    { text: "constructor=true", want: [`unrecognized feature gate: constructor (known: ${known})`] },
    { text: "PodDeletionCost", want: ['feature gate PodDeletionCost: must be true or false, not ""'] },
    {
      text: "PodDeletionCost=true=x,Nope=1",
      want: [
        'feature gate PodDeletionCost: must be true or false, not "true=x"',
        `unrecognized feature gate: Nope (known: ${known})`,
      ],
    },
    {
      text: "DeploymentPodReplacementPolicy=true,DeploymentReplicaSetTerminatingReplicas=false",
      want: [
        "DeploymentPodReplacementPolicy=true needs DeploymentReplicaSetTerminatingReplicas, which is off",
      ],
    },
  ])("$text", ({ text, want }) => {
    expect(parseFeatureGates(text)).toEqual({ ok: false, errors: want });
  });
});
