import { expect, test } from "vitest";
import type { ManagedFieldsEntry } from "../../src/api/generated/meta-v1.ts";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import { output, printedObject } from "./printed.ts";
import type { Shell } from "./shell.ts";

const timeout = 180_000;

/** The managers of a Deployment's fields, with their operation and subresource. */
async function managersOf(shell: Shell, name: string): Promise<readonly string[]> {
  const { metadata } = await printedObject(shell, `get deployment ${name} -o json --show-managed-fields`);
  const { managedFields = [] } = metadata as { managedFields?: readonly ManagedFieldsEntry[] };
  return managedFields.map(({ manager, operation, subresource }) =>
    [manager, operation, subresource ?? []].flat().join(" "),
  );
}

/** A Deployment as a manifest. */
function shop(spec: object = {}): string {
  return JSON.stringify({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "shop" },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: "shop" } },
      template: {
        metadata: { labels: { app: "shop" } },
        spec: { containers: [{ name: "shop", image: "shop:1" }] },
      },
      ...spec,
    },
  });
}

const changed = shop({ replicas: 3, podReplacementPolicy: "TerminationComplete" });
const policy = "get deployment shop -o jsonpath={.spec.podReplacementPolicy}";
const settled = "rollout status deployment shop --timeout=30s";

describeWithKubectl(({ openNamespace }) => {
  test("a manifest is applied, and applied again", { timeout }, async () => {
    const shell = await openNamespace("applied");
    const apply = async () => output(shell, "apply --server-side -f -", shop());
    expect(await apply()).toBe("deployment.apps/shop serverside-applied\n");
    expect(await apply()).toBe("deployment.apps/shop serverside-applied\n");
    await output(shell, settled);
    expect(await managersOf(shell, "shop")).toEqual(["kubectl Apply", "deployment Update status"]);
  });

  test("managed fields are hidden until they are asked for", { timeout }, async () => {
    const shell = await openNamespace("hidden");
    await output(shell, "apply --server-side -f -", shop());
    expect(await output(shell, "get deployment shop -o yaml")).not.toContain("managedFields");
    expect(await output(shell, "get deployment shop -o yaml --show-managed-fields")).toContain(
      "f:replicas: {}",
    );
  });

  test("a conflict is explained, and forced", { timeout }, async () => {
    const shell = await openNamespace("conflicts");
    await output(shell, "apply --server-side -f -", shop());
    const refused = await shell.run("apply --server-side --field-manager=ci -f -", { input: changed });
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('Apply failed with 1 conflict: conflict with "kubectl": .spec.replicas');
    expect(refused.err).toContain("Please review the fields above--they currently have other managers.");
    await output(shell, "apply --server-side --field-manager=ci --force-conflicts -f -", changed);
    expect(await output(shell, policy)).toBe("TerminationComplete");
  });

  test("what was applied by the client is taken over", { timeout }, async () => {
    const shell = await openNamespace("migrated");
    await output(shell, "apply -f -", shop());
    expect(await managersOf(shell, "shop")).toContain("kubectl-client-side-apply Update");
    await output(shell, "apply --server-side -f -", changed);
    const managers = await managersOf(shell, "shop");
    expect(managers).toContain("kubectl Apply");
    expect(managers).not.toContain("kubectl-client-side-apply Update");
    expect(await output(shell, policy)).toBe("TerminationComplete");
    expect(await output(shell, "apply -f -", shop())).toBe("deployment.apps/shop configured\n");
  });

  test("a difference is shown, and nothing is written", { timeout }, async () => {
    const shell = await openNamespace("differing");
    await output(shell, "apply --server-side -f -", shop());
    await output(shell, settled); // kubectl reads twice: a status that changes in between is a difference
    const { code, out } = await shell.run("diff --server-side -f -", { input: changed });
    expect(code).toBe(1);
    expect(out).toMatch(/^\+ {2}podReplacementPolicy: TerminationComplete$/m);
    await output(shell, "apply --server-side --dry-run=server -f -", changed);
    expect(await shell.run("diff --server-side -f -", { input: shop() })).toMatchObject({ code: 0, out: "" });
  });

  test("a field that is not in the schema is refused", { timeout }, async () => {
    const shell = await openNamespace("misspelt");
    const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, datum: {} };
    const refused = await shell.run("apply --server-side --validate=false -f -", {
      input: JSON.stringify(manifest),
    });
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toContain(".datum: field not declared in schema");
  });

  test("the replicas belong to the one who scales", { timeout }, async () => {
    const shell = await openNamespace("scaled");
    await output(shell, "apply --server-side -f -", shop());
    await output(shell, "scale deployment shop --replicas=1");
    // kubectl names no manager here, so it is the name of its program, such as kubectl.1.33.
    expect(await managersOf(shell, "shop")).toContainEqual(
      expect.stringMatching(/^kubectl\S* Update scale$/),
    );
  });
});
