import { expect, test } from "vitest";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import { output } from "./printed.ts";

const timeout = 180_000;
const fields =
  "get deployment pool -o jsonpath='{.spec.podReplacementPolicy} {.spec.downscalePodPicker.http.port}'";
const changed = "TerminationComplete 9090";
/** What kubectl says of a field that it knows neither from the schema nor from its own types. */
const unknownField =
  /unable to find api field in struct DeploymentSpec for the json field "downscalePodPicker"/;

// What each kubectl can do with the fields that Kubernetes does not have.
describeWithKubectl(({ openNamespace }) => {
  test("our fields are created and changed by every kubectl", { timeout }, async () => {
    const shell = await openNamespace("fields");
    await output(shell, "apply -f pool.yaml");
    expect(await output(shell, fields)).toBe("TerminationStarted 8080");
    // kubectl before 1.29 learns our fields from OpenAPI v2, later ones from v3.
    expect(await output(shell, "apply -f pool-changed.yaml")).toBe("deployment.apps/pool configured\n");
    expect(await output(shell, "apply -f pool-changed.yaml")).toBe("deployment.apps/pool unchanged\n");
    expect(await output(shell, fields)).toBe(changed);
  });

  test("a field that is just a word is changed by every kubectl", { timeout }, async () => {
    const shell = await openNamespace("words");
    await output(shell, "apply -f shop.yaml");
    await output(shell, "apply -f shop-changed.yaml");
    const policy = "get deployment shop -o jsonpath={.spec.podReplacementPolicy}";
    expect(await output(shell, policy)).toBe("TerminationComplete");
  });

  test.for([
    { name: "replace", type: "replace -f pool-changed.yaml" },
    {
      name: "a merge patch",
      type: `patch deployment pool --type=merge -p '{"spec":{"podReplacementPolicy":"TerminationComplete","downscalePodPicker":{"http":{"port":9090}}}}'`,
    },
  ])("$name changes our fields with every kubectl", { timeout }, async ({ name, type }) => {
    const shell = await openNamespace(name.replaceAll(" ", "-"));
    await output(shell, "create -f pool.yaml");
    await output(shell, type);
    expect(await output(shell, fields)).toBe(changed);
  });

  test("our fields are explained", { timeout }, async () => {
    const shell = await openNamespace("explained");
    expect(await output(shell, "explain deployment.spec.podReplacementPolicy")).toContain("<string>");
    expect(await output(shell, "explain rs.spec.downscalePodPicker.http.port")).toContain("<IntOrString>");
  });
});

describeWithKubectl(
  ({ openNamespace }) => {
    test("without the features the fields are dropped, unknown and unexplained", { timeout }, async () => {
      const shell = await openNamespace("without");
      await output(shell, "apply -f pool.yaml");
      expect(await output(shell, fields)).toBe(" ");
      expect(await shell.run("apply -f pool-changed.yaml")).toMatchObject({
        code: 1,
        err: expect.stringMatching(unknownField),
      });
      expect(await shell.run("explain deployment.spec.podReplacementPolicy")).toMatchObject({ code: 1 });
    });
  },
  { gates: { DownscalePodPicker: false, DeploymentPodReplacementPolicy: false } },
);
