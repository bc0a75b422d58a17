import { expect, test } from "vitest";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import { output } from "./printed.ts";
import type { Shell } from "./shell.ts";

const timeout = 180_000;

/** Creates a ConfigMap, owned or not, and returns its UID. */
async function make(shell: Shell, name: string, metadata: object = {}): Promise<string> {
  const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata } };
  return output(shell, "create -f - -o jsonpath={.metadata.uid}", JSON.stringify(manifest));
}

const ownedBy = (name: string, uid: string, more: object = {}) => ({
  ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name, uid, ...more }],
});

const letGo = `--type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'`;

describeWithKubectl(({ openNamespace }) => {
  test(
    "in the background, what is owned goes after its owner, to the third generation",
    { timeout },
    async () => {
      const shell = await openNamespace("background");
      const parent = await make(shell, "parent");
      const child = await make(shell, "child", ownedBy("parent", parent));
      await make(shell, "grandchild", ownedBy("child", child));
      expect(await output(shell, "delete configmap parent --cascade=background")).toBe(
        'configmap "parent" deleted\n',
      );
      await output(shell, "wait --for=delete configmap/child configmap/grandchild --timeout=20s");
    },
  );

  test("in the foreground, an owner waits for its blocking dependents", { timeout }, async () => {
    const shell = await openNamespace("foreground");
    const parent = await make(shell, "parent");
    const blocking = ownedBy("parent", parent, { blockOwnerDeletion: true });
    await make(shell, "child", { ...blocking, finalizers: ["example.com/hold"] });
    await make(shell, "bystander", ownedBy("parent", parent));
    await output(shell, "delete configmap parent --cascade=foreground --wait=false");
    await output(
      shell,
      "wait --for=jsonpath={.metadata.deletionGracePeriodSeconds}=0 configmap/child --timeout=20s",
    );
    expect(await output(shell, "get configmap parent -o jsonpath={.metadata.finalizers}")).toBe(
      '["foregroundDeletion"]',
    );
    await output(shell, `patch configmap child ${letGo}`);
    await output(
      shell,
      "wait --for=delete configmap/parent configmap/child configmap/bystander --timeout=20s",
    );
  });

  test("orphaned dependents stay, without their owner reference", { timeout }, async () => {
    const shell = await openNamespace("orphans");
    const parent = await make(shell, "parent");
    await make(shell, "child", ownedBy("parent", parent));
    await output(shell, "delete configmap parent --cascade=orphan");
    await output(shell, "wait --for=delete configmap/parent --timeout=20s");
    expect(await output(shell, "get configmap child -o jsonpath={.metadata.ownerReferences}")).toBe("");
  });

  test(
    "a dependent of an owner that never existed is deleted, unless it has another owner",
    { timeout },
    async () => {
      const shell = await openNamespace("dangling");
      const neverExisted = "00000000-0000-4000-8000-000000000000";
      const parent = await make(shell, "parent");
      await make(shell, "dangling", ownedBy("gone", neverExisted));
      await output(shell, "wait --for=delete configmap/dangling --timeout=20s");
      const both = [
        ...ownedBy("gone", neverExisted).ownerReferences,
        ...ownedBy("parent", parent).ownerReferences,
      ];
      await make(shell, "shared", { ownerReferences: both });
      await output(
        shell,
        `wait --for=jsonpath={.metadata.ownerReferences[*].name}=parent configmap/shared --timeout=20s`,
      );
    },
  );

  test("an owner in another namespace does not count", { timeout }, async () => {
    const shell = await openNamespace("this-side");
    const elsewhere = await make(await openNamespace("that-side"), "parent");
    await make(shell, "child", ownedBy("parent", elsewhere));
    await output(shell, "wait --for=delete configmap/child --timeout=20s");
  });

  test("a namespace reports what blocks its deletion, and is removed after that", { timeout }, async () => {
    const shell = await openNamespace("stuck");
    await make(shell, "held", { finalizers: ["example.com/hold"] });
    await make(shell, "free");
    await output(shell, "delete namespace stuck --wait=false");
    await output(shell, "wait --for=condition=NamespaceFinalizersRemaining namespace/stuck --timeout=20s");
    const said = await output(shell, "get namespace stuck -o jsonpath={.status}");
    expect(JSON.parse(said)).toMatchObject({
      phase: "Terminating",
      conditions: expect.arrayContaining([
        expect.objectContaining({
          type: "NamespaceFinalizersRemaining",
          message: expect.stringContaining("example.com/hold in 1 resource instances"),
        }),
        expect.objectContaining({
          type: "NamespaceContentRemaining",
          message: expect.stringContaining("configmaps. has 1 resource instances"),
        }),
      ]),
    });
    expect(await output(shell, "get configmaps -o name")).toBe("configmap/held\n");
    await output(shell, `patch configmap held ${letGo}`);
    await output(shell, "wait --for=delete namespace/stuck --timeout=20s");
  });
});
