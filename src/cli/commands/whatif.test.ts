import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { noObjects } from "../../decisions/explain/cluster-objects.ts";
import { takeSnapshot, writeSnapshot } from "../../simulation/snapshot/snapshot.ts";
import { pod } from "../../testing/pod.ts";
import { runCommand } from "../run-command.ts";
import { whatif } from "./whatif.ts";

test("trimtab whatif refuses a snapshot that was taken without permission to list nodes", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-whatif-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "cluster.yaml");
  const snapshot = takeSnapshot({ ...noObjects, pods: [pod("web-1")] }, { now: 0 });
  writeFileSync(file, writeSnapshot(snapshot, "yaml"));
  const err: string[] = [];
  const code = await runCommand([whatif], ["whatif", "--snapshot", file, "--delete", "web-1"], {
    out: () => undefined,
    err: (text) => err.push(text),
    interrupted: new AbortController().signal,
  });
  expect({ code, err }).toEqual({
    code: 1,
    err: [
      `trimtab whatif: ${file}: it has no nodes, which a simulation needs: was it taken without permission to list nodes?`,
    ],
  });
});
