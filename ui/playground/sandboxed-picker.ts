import { browserClock } from "../live/browser-clock.ts";
import type { SandboxAnswer, SandboxQuestion } from "./messages.ts";

/** How long a picker may work: time in the cluster stands still meanwhile. */
const longestMs = 1000;

export const examplePicker = `// Gets how many Pods have to go, and the names of those that may.
// Returns the names that go first; what is not named goes by Kubernetes' rules.
function pick({ requested, candidates }) {
  return { chosen_pods: candidates.toSorted().slice(0, requested) };
}
`;

// The last line is behind the reader's own, so that line numbers of errors are theirs.
const answering = `
;addEventListener("message", ({ data }) => {
  try { postMessage({ answer: pick(data) }); }
  catch (error) { postMessage({ error: String(error) }); }
});`;

/**
 * Asks the picker that a reader has written, in a worker that has nothing but the question: no page, and by the policy of
 * the page no network. A new one for each question, so that none can keep anything or run on.
 */
export function askSandboxedPicker(code: string, question: SandboxQuestion): Promise<SandboxAnswer> {
  const address = URL.createObjectURL(new Blob([code, answering], { type: "text/javascript" }));
  const worker = new Worker(address);
  return new Promise<SandboxAnswer>((resolve) => {
    const limit = browserClock.after(longestMs, () => end({ kind: "hangs" }));
    const end = (answer: SandboxAnswer) => {
      limit.cancel();
      worker.terminate();
      URL.revokeObjectURL(address);
      resolve(answer);
    };
    worker.addEventListener("error", ({ message }) => end({ kind: "fails", why: message }));
    worker.addEventListener("message", ({ data }: MessageEvent<{ answer?: unknown; error?: string }>) =>
      end(
        data.error === undefined
          ? { kind: "answered", answer: data.answer }
          : { kind: "fails", why: data.error },
      ),
    );
    worker.postMessage(question);
  });
}
