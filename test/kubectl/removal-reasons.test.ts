import { expect, test } from "vitest";
import { describeWithKubectl } from "./describe-with-kubectl.ts";

describeWithKubectl(({ openNamespace }) => {
  test("kubectl describe says why a Pod had to go", { timeout: 60_000 }, async () => {
    const shell = await openNamespace("explained");
    await shell.run("create deployment web --image=nginx --replicas=3");
    await shell.run("rollout status deployment/web --timeout=20s");
    const { out: names } = await shell.run("get pods -o name");
    const [first] = names.split("\n");
    await shell.run(`label ${first} kubernetes.io/prefer-for-scale-down=`);
    await shell.run("scale deployment web --replicas=2");
    await shell.run(`wait --for=delete ${first} --timeout=20s`);
    const described = async () => (await shell.run("describe replicasets")).out;
    await expect
      .poll(described, { timeout: 30_000 })
      .toMatch(
        new RegExp(
          `SuccessfulDelete .* Deleted pod: ${first?.replace("pod/", "")} ` +
            "\\(preferred: labelled kubernetes.io/prefer-for-scale-down, web-\\S+ is not\\)",
        ),
      );
    const { out: answer } = await shell.run("get --raw /debug/decisions?namespace=explained");
    expect(JSON.parse(answer)).toMatchObject({
      removals: [
        { workload: { kind: "ReplicaSet" }, removing: 1, of: 3, candidates: [{ verdict: "goes" }, {}, {}] },
      ],
    });
  });
});
