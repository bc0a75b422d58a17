import { expect, test } from "vitest";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import type { Shell } from "./shell.ts";

const zones = ["zone-a", "zone-b", "zone-c"];
const inZoneC = "-l topology.kubernetes.io/zone=zone-c";
const annotation = "trimtab.dev/scale-down-spread";

// Beside the other suites: this one closes a third of all nodes for a while.
describeWithKubectl(({ openNamespace }) => {
  test(
    "a zone that was filled last keeps its Pods when the Deployment asks for it: with kubectl alone",
    { timeout: 180_000 },
    async () => {
      const shell = await openNamespace("spread");
      await shell.run(`cordon ${inZoneC}`);
      await shell.run("create deployment web --image=nginx --replicas=6");
      await untilReady(shell, 6);
      expect(await podsPerZone(shell)).toEqual([3, 3, 0]);
      await shell.run(`uncordon ${inZoneC}`);
      await shell.run("scale deployment web --replicas=9");
      await untilReady(shell, 9);
      expect(await podsPerZone(shell)).toEqual([3, 3, 3]);

      await shell.run(`annotate deployment web ${annotation}=true`);
      await shell.run("scale deployment web --replicas=3");
      await untilReady(shell, 3);
      expect(await podsPerZone(shell)).toEqual([1, 1, 1]);
      const spread = /spread: zone zone-[abc] has [23] Pods/g;
      await expect
        .poll(async () => (await messagesOf(shell, "SuccessfulDelete")).match(spread), { timeout: 30_000 })
        .toHaveLength(6);

      await shell.run(`annotate deployment web ${annotation}=perhaps --overwrite`);
      await shell.run("scale deployment web --replicas=2");
      await untilReady(shell, 2);
      await expect
        .poll(() => messagesOf(shell, "InvalidScaleDownSpread"), { timeout: 30_000 })
        .toContain(`Annotation ${annotation} is "perhaps", which is neither "true" nor "false"`);
    },
  );
});

async function untilReady(shell: Shell, count: number): Promise<void> {
  for (const [field, value] of [
    ["readyReplicas", count],
    ["terminatingReplicas", 0],
  ] as const) {
    const { code, err } = await shell.run(
      `wait --for=jsonpath={.status.${field}}=${value} deployment/web --timeout=60s`,
    );
    expect([code, err]).toEqual([0, ""]);
  }
}

/** What events with a reason say; they are written in the background. */
async function messagesOf(shell: Shell, reason: string): Promise<string> {
  const { out } = await shell.run(
    `get events --field-selector reason=${reason} -o jsonpath={.items[*].message}`,
  );
  return out;
}

/** Running Pods only: one that has stopped is no longer terminating, and is listed until the kubelet deletes it. */
async function podsPerZone(shell: Shell): Promise<readonly number[]> {
  const { out: placed } = await shell.run(
    "get pods --field-selector status.phase=Running -o jsonpath={.items[*].spec.nodeName}",
  );
  const counts: number[] = [];
  for (const zone of zones) {
    const { out } = await shell.run(
      `get nodes -l topology.kubernetes.io/zone=${zone} -o jsonpath={.items[*].metadata.name}`,
    );
    const names = new Set(out.split(" "));
    counts.push(placed.split(" ").filter((node) => names.has(node)).length);
  }
  return counts;
}
