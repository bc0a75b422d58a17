import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import { goldenTranscript, recordSession, transcript } from "./golden-transcript.ts";
import { type KubectlSession, runSession } from "./kubectl-session.ts";
import { newestKubectl } from "./kubectls.ts";

/** `TRIMTAB_GOLDEN=write` records the output instead of comparing it. */
const isRecording = process.env["TRIMTAB_GOLDEN"] === "write";

/** Runs sessions with each kubectl of the tier and compares the output with the golden files. */
export function describeSessions(sessions: readonly KubectlSession[]): void {
  describeWithKubectl(({ kubectl, openNamespace }) => {
    for (const session of sessions) {
      test(session.name, { timeout: 180_000 }, async () => {
        const { outputs, unexpected } = await runSession(session, await openNamespace(session.namespace));
        expect(unexpected).toEqual([]);
        const { minor } = kubectl;
        const file = goldenFile(session);
        if (isRecording) recordSession(file, { minor, isNewest: kubectl === newestKubectl()[0] }, outputs);
        expect(transcript(outputs)).toBe(goldenTranscript(file, minor));
      });
    }
  });
}

function goldenFile({ namespace }: KubectlSession): string {
  return fileURLToPath(new URL(`../golden/kubectl/${namespace}.txt`, import.meta.url));
}
