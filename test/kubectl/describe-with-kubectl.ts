import { afterAll, beforeAll, describe, expect } from "vitest";
import { kubeconfigText } from "../../src/cluster/write-kubeconfig.ts";
import {
  type EmbeddedCluster,
  type EmbeddedOptions,
  makeNamespace,
  startEmbedded,
} from "../embedded-cluster.ts";
import { type Kubectl, kubectlsOfTier } from "./kubectls.ts";
import { openShell, type Shell } from "./shell.ts";

/** What a suite gets: one kubectl and a cluster for it. */
export interface KubectlContext {
  readonly kubectl: Kubectl;
  /** Creates a namespace and opens a shell whose kubectl works in it. */
  readonly openNamespace: (name: string) => Promise<Shell>;
}

/** Stands for the missing program when the suite is skipped. */
const noKubectl: Kubectl = { program: "", minor: "(none found: name some in TRIMTAB_KUBECTL)" };

/**
 * Describes a suite once for each kubectl of the tier, each with a cluster of its own, which must log no error. Tests
 * run concurrently: each uses its own namespace, and its own node if it changes one.
 */
export function describeWithKubectl(
  suite: (context: KubectlContext) => void,
  options: EmbeddedOptions = {},
): void {
  const kubectls = kubectlsOfTier();
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
      describe.concurrent("concurrently", () => {
        suite({ kubectl, openNamespace });
      });

      async function openNamespace(name: string): Promise<Shell> {
        await makeNamespace(cluster.client, name);
        const shell = openShell(kubectl, kubeconfigText(cluster.access));
        shells.push(shell);
        await shell.run(`config set-context --current --namespace=${name}`);
        return shell;
      }
    });
  }
}
