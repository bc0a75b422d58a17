import { afterAll, beforeAll, describe, expect } from "vitest";
import { kubeconfigText } from "../../src/cluster/write-kubeconfig.ts";
import {
  type EmbeddedCluster,
  type EmbeddedOptions,
  makeNamespace,
  startEmbedded,
} from "../embedded-cluster.ts";
import type { Kubectl } from "./kubectls.ts";
import { openShell, type Shell } from "./shell.ts";

/** A cluster, and someone at a terminal. */
export interface KubectlWorld {
  readonly kubectl: Kubectl;
  /** Makes a namespace and opens a terminal in it. */
  readonly enter: (place: string) => Promise<Shell>;
}

/** In whose name tests are skipped. */
const nobody: Kubectl = { program: "", minor: "(none found: name some in TRIMTAB_KUBECTL)" };

/**
 * Describes something once for each kubectl, each with a cluster of its own in which nothing may go wrong. Tests run
 * side by side: each keeps to its own namespace, and to its own node if it changes one.
 */
export function describeWith(
  kubectls: readonly Kubectl[],
  suite: (world: KubectlWorld) => void,
  options: EmbeddedOptions = {},
): void {
  for (const kubectl of kubectls.length === 0 ? [nobody] : kubectls) {
    describe.skipIf(kubectl === nobody)(`kubectl ${kubectl.minor}`, () => {
      const shells: Shell[] = [];
      let cluster: EmbeddedCluster;
      beforeAll(async () => {
        cluster = await startEmbedded(options);
      });
      afterAll(async () => {
        for (const shell of shells) shell.close();
        await cluster.stop();
        expect(cluster.log.entries.filter(({ level }) => level === "error")).toEqual([]);
      });
      describe.concurrent("side by side", () => {
        suite({ kubectl, enter });
      });

      async function enter(place: string): Promise<Shell> {
        await makeNamespace(cluster.client, place);
        const shell = openShell(kubectl, kubeconfigText(cluster.access));
        shells.push(shell);
        await shell.type(`config set-context --current --namespace=${place}`);
        return shell;
      }
    });
  }
}
