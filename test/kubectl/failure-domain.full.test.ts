import { expect, test } from "vitest";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import type { Shell } from "./shell.ts";

const inZoneC = "-l topology.kubernetes.io/zone=zone-c";

// Beside the other suites: this one takes a third of all nodes away.
describeWithKubectl(({ openNamespace }) => {
  test(
    "a failure domain fails, Pods move, it comes back, the workload shrinks: with kubectl alone",
    { timeout: 180_000 },
    async () => {
      const shell = await openNamespace("domain");
      await shell.run("create deployment web --image=nginx --replicas=9");
      await shell.run("rollout status deployment/web --timeout=30s");
      const moving = await podsIn(shell, "zone-c");
      expect(moving).toHaveLength(3);

      const failed = await shell.run(`taint nodes ${inZoneC} broken=true:NoExecute`);
      expect(failed.code).toBe(0);
      await shell.run(`wait --for=delete ${moving.map((name) => `pod/${name}`).join(" ")} --timeout=60s`);
      await untilReady(shell, 9);
      expect(await podsIn(shell, "zone-c")).toEqual([]);

      await shell.run(`taint nodes ${inZoneC} broken-`);
      await shell.run("scale deployment web --replicas=6");
      await untilReady(shell, 6);
      const deletions = "get events --field-selector reason=SuccessfulDelete -o name";
      await expect
        .poll(async () => (await shell.run(deletions)).out.trim().split("\n"), { timeout: 30_000 })
        .toHaveLength(3);

      await shell.run("scale deployment web --replicas=9");
      await untilReady(shell, 9);
      // Pods whose ages fall into one bucket go by chance: the zones that stayed may hold 4 and 2, and then the third
      // new Pod finds two zones equally empty.
      expect((await podsIn(shell, "zone-c")).length).toBeGreaterThanOrEqual(2);
    },
  );
});

async function untilReady(shell: Shell, count: number): Promise<void> {
  const { code, err } = await shell.run(
    `wait --for=jsonpath={.status.readyReplicas}=${count} deployment/web --timeout=60s`,
  );
  expect([code, err]).toEqual([0, ""]);
  const settled = await shell.run(
    "wait --for=jsonpath={.status.terminatingReplicas}=0 deployment/web --timeout=60s",
  );
  expect(settled.code).toBe(0);
}

/** The running Pods on the nodes of a zone. */
async function podsIn(shell: Shell, zone: string): Promise<readonly string[]> {
  const nodesInZone = `get nodes -l topology.kubernetes.io/zone=${zone} -o jsonpath={.items[*].metadata.name}`;
  const nodes = new Set((await shell.run(nodesInZone)).out.split(" "));
  const columns = "custom-columns=NAME:.metadata.name,NODE:.spec.nodeName --no-headers";
  const { out } = await shell.run(`get pods --field-selector status.phase=Running -o ${columns}`);
  const rows = out
    .trim()
    .split("\n")
    .map((row) => row.split(/ +/));
  return rows.flatMap(([name = "", node = ""]) => (nodes.has(node) ? [name] : []));
}
