import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { goldenTranscript, recordSession, transcript } from "./golden-session.ts";
import { type Kubectl, newestKubectl } from "./kubectls.ts";
import { play, type Scene } from "./scene.ts";
import { describeWith } from "./with-kubectl.contract.ts";

/** `TRIMTAB_GOLDEN=write` records what is said instead of comparing it. */
const isRecording = process.env["TRIMTAB_GOLDEN"] === "write";

/** Plays scenes with each kubectl and compares every word with the golden files. */
export function describeScenes(scenes: readonly Scene[], kubectls: readonly Kubectl[]): void {
  describeWith(kubectls, ({ kubectl, enter }) => {
    for (const scene of scenes) {
      test(scene.name, { timeout: 60_000 }, async () => {
        const { session, surprises } = await play(scene, await enter(scene.place));
        expect(surprises).toEqual([]);
        const { minor } = kubectl;
        const file = goldenFile(scene);
        if (isRecording) recordSession(file, { minor, isNewest: kubectl === newestKubectl()[0] }, session);
        expect(transcript(session)).toBe(goldenTranscript(file, minor));
      });
    }
  });
}

function goldenFile({ place }: Scene): string {
  return fileURLToPath(new URL(`../golden/kubectl/${place}.txt`, import.meta.url));
}
