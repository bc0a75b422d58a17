import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { type DeploymentTraits, podTemplate } from "../../testing/deployment.ts";
import { replicaSet, type ReplicaSetTraits } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { revisionsOf, revisionsWithNew } from "./revisions.ts";
import { draftReplicaSet, refreshed, replicaSetName } from "./new-replica-set.ts";
import { hashTemplate } from "./pod-template.ts";

const hash = hashTemplate(podTemplate());
const picker = { http: { host: "picker", port: 80 } };

describe("the ReplicaSet to create", () => {
  test("is the Deployment's template, owned, labelled and annotated", () => {
    const traits = {
      replicas: 10,
      maxSurge: 3,
      minReadySeconds: 5,
      annotations: {
        "example.com/team": "blue",
        "kubectl.kubernetes.io/last-applied-configuration": "{}",
        "deployment.kubernetes.io/revision": "2",
        "deployment.kubernetes.io/replicaset-replicas-before-scale": "9",
        "deprecated.deployment.rollback.to": "1",
      },
    };
    const old = replicaSet("web-old", { image: "other", revision: 2 });
    expect(draftReplicaSet(revisionsOf(rolloutState(traits, [old])), 4)).toEqual({
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: {
        name: `web-${hash}`,
        namespace: "default",
        labels: { app: "web", "pod-template-hash": hash },
        annotations: {
          "example.com/team": "blue",
          "deployment.kubernetes.io/revision": "3",
          "deployment.kubernetes.io/desired-replicas": "10",
          "deployment.kubernetes.io/max-replicas": "13",
        },
        ownerReferences: [
          {
            apiVersion: "apps/v1",
            kind: "Deployment",
            name: "web",
            uid: "uid-of-web",
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        replicas: 4,
        minReadySeconds: 5,
        selector: { matchLabels: { app: "web", "pod-template-hash": hash } },
        template: podTemplate(undefined, hash),
      },
    });
  });

  test("has another name after a collision", () => {
    const names = [{}, { collisionCount: 1 }].map(
      (status) => draftReplicaSet(revisionsOf(rolloutState({ status }, [])), 1).metadata.name,
    );
    expect(new Set(names).size).toBe(2);
  });

  test("has the picker, as a field and as an annotation", () => {
    const annotations = { "trimtab.dev/downscale-pod-picker": "{}" };
    const draft = draftReplicaSet(revisionsOf(rolloutState({ picker, annotations }, [])), 1);
    expect(draft.spec.downscalePodPicker).toEqual(picker);
    expect(draft.metadata.annotations).toMatchObject(annotations);
  });

  test("has no picker with the gate off", () => {
    const annotations = { "trimtab.dev/downscale-pod-picker": "{}" };
    const gates = { ...defaultFeatureGates, DownscalePodPicker: false };
    const draft = draftReplicaSet(revisionsOf(rolloutState({ picker, annotations }, [], { gates })), 1);
    expect(draft.spec).not.toHaveProperty("downscalePodPicker");
    expect(draft.metadata.annotations).not.toHaveProperty(["trimtab.dev/downscale-pod-picker"]);
  });
});

describe("the name of a ReplicaSet", () => {
  test.for([
    { name: "keeps a short name", deployment: 12, hash: 10, want: 12 },
    { name: "keeps one that just fits", deployment: 242, hash: 10, want: 242 },
    { name: "cuts one that does not", deployment: 250, hash: 10, want: 242 },
    { name: "cuts nothing when the hash takes all the space", deployment: 250, hash: 253, want: 250 },
  ])("$name", ({ deployment: length, hash: hashLength, want }) => {
    const [before, after] = replicaSetName("d".repeat(length), "h".repeat(hashLength)).split("-");
    expect(before).toHaveLength(want);
    expect(after).toHaveLength(hashLength);
  });
});

describe("an existing new ReplicaSet", () => {
  const old = replicaSet("web-old", { image: "other", revision: 4 });
  function refresh(traits: DeploymentTraits, existing: ReplicaSetTraits) {
    const before = replicaSet("web-new", { revision: 5, ...existing });
    return {
      before,
      after: refreshed(before, revisionsWithNew(rolloutState(traits, [before, old]), before)),
    };
  }

  test("stays the same object when nothing is out of date", () => {
    const { before, after } = refresh({}, {});
    expect(after).toBe(before);
  });

  test("takes annotations over and keeps those the Deployment has lost", () => {
    const { after } = refresh({ annotations: { a: "1" } }, { annotations: { b: "2" } });
    expect(after.metadata.annotations).toMatchObject({ a: "1", b: "2" });
  });

  test("never takes over the record of a partial scale, which stock kubectl leaves on Deployments", () => {
    const beforeScale = "deployment.kubernetes.io/replicaset-replicas-before-scale";
    const { before, after } = refresh({ annotations: { [beforeScale]: "7" } }, {});
    expect(after).toBe(before);
  });

  test("leaves the annotations of its size to the scale", () => {
    const { before, after } = refresh({ replicas: 9 }, { desired: 3, max: 4 });
    expect(after).toBe(before);
  });

  test("gets the next revision when it is used again, and remembers the one it had", () => {
    const { after } = refresh({}, { revision: 2 });
    expect(after.metadata.annotations).toMatchObject({
      "deployment.kubernetes.io/revision": "5",
      "deployment.kubernetes.io/revision-history": "2",
    });
  });

  test("is left alone when its revision cannot be read", () => {
    const { before, after } = refresh({ annotations: { a: "1" } }, { revision: "two" });
    expect(after).toBe(before);
  });

  test("takes minReadySeconds over", () => {
    expect(refresh({ minReadySeconds: 9 }, {}).after.spec.minReadySeconds).toBe(9);
    expect(refresh({}, { minReadySeconds: 9 }).after.spec.minReadySeconds).toBe(0);
  });

  test("takes the picker over, and gives up its own", () => {
    expect(refresh({ picker }, {}).after.spec.downscalePodPicker).toEqual(picker);
    const other = { http: { host: "other", port: 81 } };
    expect(refresh({ picker }, { picker: other }).after.spec.downscalePodPicker).toEqual(picker);
    expect(refresh({}, { picker: other }).after.spec).not.toHaveProperty("downscalePodPicker");
  });

  test("takes a picker's annotation over, and loses it again", () => {
    const annotations = { "trimtab.dev/downscale-pod-picker": "{}" };
    expect(refresh({ annotations }, {}).after.metadata.annotations).toMatchObject(annotations);
    const { after } = refresh({}, { annotations });
    expect(after.metadata.annotations).not.toHaveProperty(["trimtab.dev/downscale-pod-picker"]);
  });

  test.for(["trimtab.dev/scale-down-spread", "trimtab.dev/pod-replacement-policy"])(
    "takes %s over, and loses it again",
    (setting) => {
      const annotations = { [setting]: "true" };
      expect(refresh({ annotations }, {}).after.metadata.annotations).toMatchObject(annotations);
      const { after } = refresh({ annotations: { a: "1" } }, { annotations });
      expect(after.metadata.annotations).not.toHaveProperty([setting]);
      expect(after.metadata.annotations).toMatchObject({ a: "1" });
    },
  );
});
