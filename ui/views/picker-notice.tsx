import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { messageOf } from "../../src/api/message-of.ts";
import type { PickerQuestion } from "../../src/page/contract.ts";
import type { AnswersByOwner, PreviewedPicker } from "../model/scale-preview.ts";
import { useStore } from "./use-store.ts";

interface PickerNoticeProps {
  readonly picker: PreviewedPicker;
  readonly question: PickerQuestion;
  readonly answered: (answers: AnswersByOwner) => void;
}

/** What a pod picker would be asked, and a button that asks it; nothing is removed by that. */
export function PickerNotice({ picker, question, answered }: PickerNoticeProps): JSX.Element {
  const store = useStore();
  const [progress, setProgress] = useState<"idle" | "asking" | { readonly problem: string }>("idle");
  const { askPickers } = store.requests;
  const ask = async () => {
    if (askPickers === undefined) return;
    setProgress("asking");
    try {
      answered(await askPickers(question));
      setProgress("idle");
    } catch (error) {
      // The boundary to the user.
      setProgress({ problem: messageOf(error) });
    }
  };
  const mayAsk =
    picker.isOpen &&
    askPickers !== undefined &&
    store.facts?.asksPickers === true &&
    store.moment === undefined;
  return (
    <p class="notice">
      {picker.note}{" "}
      {mayAsk && (
        <button type="button" class="small" disabled={progress === "asking"} onClick={() => void ask()}>
          {progress === "asking" ? "Asking…" : "Ask the picker"}
        </button>
      )}
      {typeof progress === "object" && <span class="bad">{progress.problem}</span>}
    </p>
  );
}
