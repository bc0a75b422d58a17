import { expect, test } from "vitest";
import { newestKubectl } from "./kubectls.ts";
import { describeScenes } from "./scenes.contract.ts";
import { replicaSetScenes } from "./scenes/replicasets.cases.ts";
import { describeWith } from "./with-kubectl.contract.ts";

describeScenes(replicaSetScenes, newestKubectl());

describeWith(newestKubectl(), ({ enter }) => {
  test("kubectl describe says why a Pod had to go", { timeout: 60_000 }, async () => {
    const shell = await enter("explained");
    await shell.type("create deployment web --image=nginx --replicas=3");
    await shell.type("rollout status deployment/web --timeout=20s");
    const { out: names } = await shell.type("get pods -o name");
    const [first] = names.split("\n");
    await shell.type(`label ${first} kubernetes.io/prefer-for-scale-down=`);
    await shell.type("scale deployment web --replicas=2");
    await shell.type(`wait --for=delete ${first} --timeout=20s`);
    const { out } = await shell.type("describe replicasets");
    expect(out).toMatch(
      new RegExp(
        `SuccessfulDelete .* Deleted pod: ${first?.replace("pod/", "")} ` +
          "\\(preferred: labelled kubernetes.io/prefer-for-scale-down, web-\\S+ is not\\)",
      ),
    );
    const { out: answer } = await shell.type("get --raw /debug/decisions?namespace=explained");
    expect(JSON.parse(answer)).toMatchObject({
      removals: [
        { workload: { kind: "ReplicaSet" }, removing: 1, of: 3, candidates: [{ verdict: "goes" }, {}, {}] },
      ],
    });
  });
});
