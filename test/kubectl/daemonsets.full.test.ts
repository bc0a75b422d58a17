import { expect, test } from "vitest";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import { output } from "./printed.ts";
import type { Shell } from "./shell.ts";

const timeout = 180_000;
const agent = "daemonset/agent";
const manifest = `
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      terminationGracePeriodSeconds: 0
      nodeSelector: {daemons: "yes"}
      containers: [{name: agent, image: agent:1}]
`;

async function rolledOut(shell: Shell): Promise<void> {
  const told = await output(shell, `rollout status ${agent} --timeout=60s`);
  expect(told).toMatch(/daemon set "agent" successfully rolled out\n$/);
}

const squeezed = (text: string) => text.replaceAll(/ +/g, " ").trim();

describeWithKubectl(({ openNamespace }) => {
  test("a DaemonSet is applied, rolled out, undone and deleted", { timeout }, async () => {
    const shell = await openNamespace("daemons");
    await output(shell, "label nodes node-1 node-2 node-3 daemons=yes");
    const applied = await shell.run("apply -f -", { input: manifest });
    expect([applied.out, applied.err]).toEqual(["daemonset.apps/agent created\n", ""]);
    await rolledOut(shell);
    expect(squeezed(await output(shell, `get ${agent} --no-headers`))).toMatch(
      /^agent 3 3 3 3 3 daemons=yes \d+s$/,
    );

    expect(await output(shell, `set image ${agent} agent=agent:2`)).toBe(
      "daemonset.apps/agent image updated\n",
    );
    await rolledOut(shell);
    const images = () =>
      output(shell, "get pods -l app=agent -o jsonpath={.items[*].spec.containers[0].image}");
    expect(await images()).toBe("agent:2 agent:2 agent:2");
    expect(squeezed(await output(shell, `rollout history ${agent}`))).toBe(
      "daemonset.apps/agent \nREVISION CHANGE-CAUSE\n1 <none>\n2 <none>",
    );
    expect(await output(shell, `rollout history ${agent} --revision=1`)).toMatch(/Image:\s+agent:1/);

    expect(await output(shell, `rollout undo ${agent}`)).toBe("daemonset.apps/agent rolled back\n");
    await rolledOut(shell);
    expect(await images()).toBe("agent:1 agent:1 agent:1");
    expect(squeezed(await output(shell, `rollout history ${agent}`))).toBe(
      "daemonset.apps/agent \nREVISION CHANGE-CAUSE\n2 <none>\n3 <none>",
    );
    const described = squeezed(await output(shell, `describe ${agent}`));
    expect(described).toContain("Desired Number of Nodes Scheduled: 3");
    expect(described).toMatch(
      /Deleted pod: agent-\w{5} \(outdated: an earlier revision; 1 node may be unavailable, 0 are\)/,
    );

    await output(shell, `delete ${agent} --cascade=foreground`);
    expect(await output(shell, "get pods,controllerrevisions --ignore-not-found")).toBe("");
  });
});
