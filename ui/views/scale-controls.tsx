import type { JSX } from "preact";
import type { PickerQuestion } from "../../src/page/contract.ts";
import { ActionButton } from "./action-button.tsx";

interface ControlsProps {
  readonly question: PickerQuestion;
  readonly desired: number;
  readonly setWanted: (replicas: number | undefined) => void;
  /** Whether it only previews. */
  readonly isPreview: boolean;
}

/** Sets the size that is previewed, and scales to it. */
export function ScaleControls({ question, desired, setWanted, isPreview }: ControlsProps): JSX.Element {
  const { replicas } = question;
  return (
    <div class="scale">
      <label for="scale-to">Scale to</label>
      <input
        type="range"
        aria-label="Scale to"
        min={0}
        max={Math.max(10, desired * 2)}
        value={replicas}
        onInput={({ currentTarget }) => setWanted(currentTarget.valueAsNumber)}
      />
      <input
        id="scale-to"
        type="number"
        min={0}
        value={replicas}
        onInput={({ currentTarget }) => setWanted(wholeNumber(currentTarget.value))}
      />
      <span class="quiet">now {desired}</span>
      <button
        type="button"
        class="small"
        disabled={replicas === desired}
        onClick={() => setWanted(undefined)}
      >
        Reset
      </button>
      {!isPreview && (
        <ActionButton
          label={`Scale to ${replicas}`}
          isDisabled={replicas === desired}
          action={{ action: "scale", ...question }}
        />
      )}
    </div>
  );
}

function wholeNumber(text: string): number | undefined {
  const value = Math.floor(Number(text));
  return text === "" || !Number.isFinite(value) || value < 0 ? undefined : Math.min(value, 100_000);
}
