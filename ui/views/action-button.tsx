import type { JSX, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { messageOf } from "../../src/api/message-of.ts";
import type { ActionResult, PageAction } from "../../src/page/contract.ts";
import { kubectlLine } from "../../src/user-actions/kubectl-line.ts";
import { useStore } from "./use-store.ts";

type Progress =
  | { readonly kind: "idle" }
  | { readonly kind: "asking" }
  | { readonly kind: "sent" }
  | { readonly kind: "done"; readonly result: ActionResult }
  | { readonly kind: "failed"; readonly message: string };

export interface ActionButtonProps {
  readonly label: string;
  readonly action: PageAction;
  readonly isDisabled?: boolean;
}

/** A button for an action: shows the kubectl line first, and what came of it. Only where the page may write. */
export function ActionButton({ label, action, isDisabled = false }: ActionButtonProps): JSX.Element | null {
  const store = useStore();
  const [progress, setProgress] = useState<Progress>({ kind: "idle" });
  const place = useFocusOnChange(progress.kind);
  if (store.facts?.writes !== true || store.moment !== undefined) return null;
  const act = async () => {
    setProgress({ kind: "sent" });
    try {
      setProgress({ kind: "done", result: await store.requests.act(action) });
    } catch (error) {
      // The boundary to the user: the button shows why the action failed.
      setProgress({ kind: "failed", message: messageOf(error) });
    }
  };
  const cancelByKey = ({ key }: KeyboardEvent) => {
    if (key === "Escape" && progress.kind !== "sent") setProgress({ kind: "idle" });
  };
  return (
    <span class="action" ref={place} onKeyDown={cancelByKey}>
      {progress.kind === "idle" && (
        <button
          type="button"
          class="small"
          disabled={isDisabled}
          onClick={() => setProgress({ kind: "asking" })}
        >
          {label}
        </button>
      )}
      {(progress.kind === "asking" || progress.kind === "sent") && (
        <span class="confirm">
          <code>{kubectlLine(action)}</code>
          <button
            type="button"
            class="small strong"
            disabled={progress.kind === "sent"}
            onClick={() => void act()}
          >
            {label} now
          </button>
          <button type="button" class="small" onClick={() => setProgress({ kind: "idle" })}>
            Cancel
          </button>
        </span>
      )}
      {(progress.kind === "done" || progress.kind === "failed") && (
        <span class="confirm">
          <Outcome progress={progress} />
          <button type="button" class="small" onClick={() => setProgress({ kind: "idle" })}>
            OK
          </button>
        </span>
      )}
    </span>
  );
}

/**
 * Moves the focus to the first button of what replaces the buttons before, so that keys go on from there; a focus that was
 * moved elsewhere meanwhile stays there.
 */
function useFocusOnChange(state: string): RefObject<HTMLSpanElement | null> {
  const place = useRef<HTMLSpanElement>(null);
  const focused = useRef(state);
  // Before the next key arrives: the button that had the focus is gone, and keys would go to the whole page.
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    const isFree = activeElement === null || activeElement === body || place.current?.contains(activeElement);
    if (focused.current !== state && isFree) place.current?.querySelector("button")?.focus();
    focused.current = state;
  }, [state]);
  return place;
}

function Outcome({ progress }: { readonly progress: Progress }): JSX.Element | null {
  if (progress.kind === "failed")
    return (
      <span role="status" class="bad">
        {progress.message}
      </span>
    );
  if (progress.kind !== "done") return null;
  const { kubectl, done, refused } = progress.result;
  return (
    <span role="status">
      <code>{kubectl}</code>
      {done.slice(0, 5).map((line) => (
        <span key={line} class="line">
          {line}
        </span>
      ))}
      {done.length > 5 && <span class="line quiet">and {done.length - 5} more</span>}
      {refused.map(({ object, message }) => (
        <span key={object} class="line bad">
          {object}: {message}
        </span>
      ))}
    </span>
  );
}
