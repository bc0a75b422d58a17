import { expect, test } from "vitest";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import { output } from "./printed.ts";

describeWithKubectl(({ openNamespace }) => {
  test("get --watch shows a Pod from its creation to its removal", { timeout: 180_000 }, async () => {
    const shell = await openNamespace("watching");
    await output(shell, "create -f web.yaml");
    await output(shell, "wait --for=condition=Ready pod/web --timeout=10s");
    const watch = shell.begin("get pods --watch --output-watch-events");
    await watch.waitForOutput("web");
    await output(shell, `run cache --image=redis --overrides='{"spec":{"nodeName":"node-9"}}'`);
    await output(shell, "wait --for=condition=Ready pod/cache --timeout=10s");
    await output(shell, "delete pod cache");
    const shown = await watch.waitForOutput("DELETED");
    await watch.interrupt();
    const cells = shown.split("\n").map((line) => line.split(/\s+/).slice(0, 4).join(" "));
    expect(cells.filter((line, index) => line !== "" && line !== cells[index - 1])).toEqual([
      "EVENT NAME READY STATUS",
      "ADDED web 1/1 Running",
      "ADDED cache 0/1 Pending",
      "MODIFIED cache 0/1 ContainerCreating",
      "MODIFIED cache 1/1 Running",
      "MODIFIED cache 1/1 Terminating",
      "MODIFIED cache 0/1 Completed",
      "DELETED cache 0/1 Completed",
    ]);
  });
});
