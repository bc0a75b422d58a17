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
export interface KubectlContext {
  readonly kubectl: Kubectl;
  /** Makes a namespace and opens a terminal in it. */
  readonly openNamespace: (place: string) => Promise<Shell>;
}

/** In whose name tests are skipped. */
const noKubectl: Kubectl = { program: "", minor: "(none found: name some in TRIMTAB_KUBECTL)" };

/**
 * Describes something once for each kubectl, each with a cluster of its own in which nothing may go wrong. Tests run
 * side by side: each keeps to its own namespace, and to its own node if it changes one.
 */
export function describeWith(
  kubectls: readonly Kubectl[],
  suite: (world: KubectlContext) => void,
  options: EmbeddedOptions = {},
): void {
  for (const kubectl of kubectls.length === 0 ? [noKubectl] : kubectls) {
    describe.skipIf(kubectl === noKubectl)(`kubectl ${kubectl.minor}`, () => {
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
        suite({ kubectl, openNamespace: enter });
      });

      async function enter(place: string): Promise<Shell> {
        await makeNamespace(cluster.client, place);
        const shell = openShell(kubectl, kubeconfigText(cluster.access));
        shells.push(shell);
        await shell.run(`config set-context --current --namespace=${place}`);
        return shell;
      }
    });
  }
}
