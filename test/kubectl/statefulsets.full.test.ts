import { expect, test } from "vitest";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import { output } from "./printed.ts";
import type { Shell } from "./shell.ts";

const timeout = 180_000;
const db = "statefulset/db";
const manifest = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 2
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      terminationGracePeriodSeconds: 0
      containers: [{name: db, image: "db:1"}]
`;

async function rolledOut(shell: Shell): Promise<void> {
  const told = await output(shell, `rollout status ${db} --timeout=60s`);
  expect(told).toMatch(/(roll out complete|rolling update complete).*\n$/);
}

const squeezed = (text: string) => text.replaceAll(/ +/g, " ").trim();

describeWithKubectl(({ openNamespace }) => {
  test("a StatefulSet is applied, rolled out, undone, scaled and deleted", { timeout }, async () => {
    const shell = await openNamespace("ordinals");
    const applied = await shell.run("apply -f -", { input: manifest });
    expect([applied.out, applied.err]).toEqual(["statefulset.apps/db created\n", ""]);
    await rolledOut(shell);
    expect(squeezed(await output(shell, `get ${db} --no-headers`))).toMatch(/^db 2\/2 \d+s$/);

    await output(shell, `set image ${db} db=db:2`);
    await rolledOut(shell);
    const images = () => output(shell, "get pods -l app=db -o jsonpath={.items[*].spec.containers[0].image}");
    expect(await images()).toBe("db:2 db:2");
    expect(squeezed(await output(shell, `rollout history ${db}`))).toBe(
      "statefulset.apps/db \nREVISION CHANGE-CAUSE\n1 <none>\n2 <none>",
    );

    expect(await output(shell, `rollout undo ${db}`)).toBe("statefulset.apps/db rolled back\n");
    await rolledOut(shell);
    expect(await images()).toBe("db:1 db:1");
    expect(squeezed(await output(shell, `describe ${db}`))).toMatch(
      /Delete Pod db-1 in StatefulSet db successful \(it is at revision db-\w+, the update is to db-\w+\)/,
    );

    await output(shell, `scale ${db} --replicas=1`);
    await output(shell, "wait --for=delete pod/db-1 --timeout=60s");
    await output(shell, `delete ${db} --cascade=foreground`);
    expect(await output(shell, "get pods,controllerrevisions --ignore-not-found")).toBe("");
  });
});
