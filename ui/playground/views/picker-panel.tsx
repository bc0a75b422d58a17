import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { SandboxAnswer, SandboxQuestion } from "../messages.ts";
import { askSandboxedPicker, examplePicker } from "../sandboxed-picker.ts";
import type { WorkerLink } from "../worker-link.ts";

interface Asked {
  readonly question: SandboxQuestion;
  readonly answer: SandboxAnswer;
}

/** A pod picker in JavaScript: workloads with its host ask it when they are scaled down. */
export function PickerPanel({ link }: { readonly link: WorkerLink }): JSX.Element {
  const [code, setCode] = useState(examplePicker);
  const [used, setUsed] = useState(examplePicker);
  const [asked, setAsked] = useState<Asked>();
  useEffect(
    () =>
      link.answerPicker(async (question) => {
        const answer = await askSandboxedPicker(used, question);
        setAsked({ question, answer });
        return answer;
      }),
    [link, used],
  );
  return (
    <div class="editor">
      <label class="visually-hidden" for="picker">
        The picker, in JavaScript
      </label>
      <textarea
        id="picker"
        spellcheck={false}
        value={code}
        onInput={({ currentTarget }) => setCode(currentTarget.value)}
      />
      <div class="editor-actions">
        <button type="button" class="strong" disabled={code === used} onClick={() => setUsed(code)}>
          Use it
        </button>
        <span class="quiet">downscalePodPicker: http: host: picker.page.svc</span>
      </div>
      <div role="status" class="applied">
        {asked === undefined ? <p class="quiet">It has not been asked yet.</p> : <Answer asked={asked} />}
      </div>
    </div>
  );
}

function Answer({ asked: { question, answer } }: { readonly asked: Asked }): JSX.Element {
  return (
    <>
      <p>
        Asked for {question.requested} of {question.candidates.length} Pods.
      </p>
      {answer.kind === "answered" && <p>{JSON.stringify(answer.answer)}</p>}
      {answer.kind === "hangs" && <p class="bad">It did not answer within a second, and was ended.</p>}
      {answer.kind === "fails" && <p class="bad">{answer.why}</p>}
    </>
  );
}
