import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { goldenTranscript, recordSession, transcript } from "./golden-transcript.ts";
import { type Kubectl, newestKubectl } from "./kubectls.ts";
import { runSession, type KubectlSession } from "./kubectl-session.ts";
import { describeWith } from "./describe-with-kubectl.contract.ts";

/** `TRIMTAB_GOLDEN=write` records what is said instead of comparing it. */
const isRecording = process.env["TRIMTAB_GOLDEN"] === "write";

/** Plays scenes with each kubectl and compares every word with the golden files. */
export function describeSessions(scenes: readonly KubectlSession[], kubectls: readonly Kubectl[]): void {
  describeWith(kubectls, ({ kubectl, openNamespace }) => {
    for (const scene of scenes) {
      test(scene.name, { timeout: 60_000 }, async () => {
        const { session, unexpected } = await runSession(scene, await openNamespace(scene.namespace));
        expect(unexpected).toEqual([]);
        const { minor } = kubectl;
        const file = goldenFile(scene);
        if (isRecording) recordSession(file, { minor, isNewest: kubectl === newestKubectl()[0] }, session);
        expect(transcript(session)).toBe(goldenTranscript(file, minor));
      });
    }
  });
}

function goldenFile({ namespace }: KubectlSession): string {
  return fileURLToPath(new URL(`../golden/kubectl/${namespace}.txt`, import.meta.url));
}
