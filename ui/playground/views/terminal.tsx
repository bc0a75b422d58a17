import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { messageOf } from "../../../src/api/message-of.ts";
import type { Completion, Written } from "../messages.ts";
import { completed, copyable } from "../terminal-line.ts";
import type { WorkerLink } from "../worker-link.ts";

/** The lines that are kept: a watch may write for hours. */
const mostPieces = 2000;

interface Piece extends Omit<Written, "to"> {
  readonly to: Written["to"] | "line";
}

const welcome: Piece = {
  to: "out",
  text: "kubectl get pods -o wide, for example. Tab completes, Ctrl-C ends a line that runs, help says more.\n",
};

const isAtLineStart = (pieces: readonly Piece[]) => pieces.at(-1)?.text.endsWith("\n") ?? true;

export interface TerminalProps {
  readonly link: WorkerLink;
  /** What `-f manifest.yaml` reads. */
  readonly manifest: string;
}

/** Lines for kubectl, and what they write. Up and Down go through those before, Tab completes. */
export function TerminalView({ link, manifest }: TerminalProps): JSX.Element {
  const [pieces, setPieces] = useState<readonly Piece[]>([welcome]);
  const [line, setLine] = useState("");
  const [running, setRunning] = useState<AbortController>();
  const history = useRef<readonly string[]>([]);
  const place = useRef(0);
  const log = useRef<HTMLDivElement>(null);
  const add = (more: readonly Piece[]) => setPieces((before) => [...before, ...more].slice(-mostPieces));
  const addLine = (text: string) =>
    add([{ to: "line", text: `${isAtLineStart(pieces) ? "" : "\n"}$ ${text}\n` }]);
  useEffect(() => log.current?.scrollTo(0, log.current.scrollHeight), [pieces]);

  const run = async () => {
    const asked = line.trim();
    setLine("");
    if (asked === "") return;
    history.current = [...history.current.filter((each) => each !== asked), asked];
    place.current = history.current.length;
    if (asked === "clear") return setPieces([]);
    addLine(asked);
    const ending = new AbortController();
    setRunning(ending);
    try {
      const parts = (more: readonly unknown[]) => add(more as readonly Written[]);
      await link.ask({ ask: "run", line: asked, manifest }, { parts, signal: ending.signal });
    } catch (error) {
      add([{ to: "err", text: `${messageOf(error)}\n` }]); // the boundary to the user
    }
    setRunning(undefined);
  };

  const recall = (step: number) => {
    place.current = Math.min(history.current.length, Math.max(0, place.current + step));
    setLine(history.current[place.current] ?? "");
  };

  const end = () => {
    if (running === undefined) return setLine("");
    running.abort(new Error("ended by a key"));
    add([{ to: "line", text: "^C\n" }]);
  };

  const complete = async (input: HTMLInputElement) => {
    const at = input.selectionStart ?? line.length;
    const before = line.slice(0, at);
    const found = await link.ask<Completion>({ ask: "complete", line: before });
    const { text, choices } = completed(before, found);
    setLine(text + line.slice(at));
    if (choices.length === 0) return;
    addLine(before);
    add([{ to: "out", text: `${choices.join("  ")}\n` }]);
  };

  const byKey = (event: KeyboardEvent & { readonly currentTarget: HTMLInputElement }) => {
    const input = event.currentTarget;
    const isSelected = input.selectionStart !== input.selectionEnd || !(getSelection()?.isCollapsed ?? true);
    const actions: Readonly<Record<string, (() => void) | undefined>> = {
      Enter: () => void (running === undefined && run()),
      ArrowUp: () => recall(-1),
      ArrowDown: () => recall(1),
      Escape: running && end,
      // An empty line lets the focus go on.
      Tab: line.trim() === "" || event.shiftKey ? undefined : () => void complete(input),
      // What is selected is copied.
      "Ctrl+c": isSelected ? undefined : end,
      "Ctrl+l": () => setPieces([]),
    };
    const action = actions[event.ctrlKey ? `Ctrl+${event.key}` : event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };

  return (
    <div class="terminal">
      <div class="log" role="log" aria-label="Output" tabIndex={0} ref={log}>
        {pieces.map((piece, index) => (
          <span key={index} class={piece.to}>
            {piece.text}
          </span>
        ))}
      </div>
      <div class="prompt">
        <label>
          <span aria-hidden="true">$</span>
          <span class="visually-hidden">A line for kubectl</span>
          <input
            value={line}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setLine(currentTarget.value)}
            onKeyDown={byKey}
          />
        </label>
        {running === undefined ? (
          <CopyLine text={copyable(line.trim() === "" ? (history.current.at(-1) ?? "") : line, manifest)} />
        ) : (
          <button type="button" onClick={end}>
            End
          </button>
        )}
      </div>
    </div>
  );
}

/** Copies the line, or else the one before, for a shell and a real kubectl. */
function CopyLine({ text }: { readonly text: string }): JSX.Element {
  const [copied, setCopied] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(text);
    } catch {
      setCopied(""); // the browser does not let the page write to the clipboard
    }
  };
  return (
    <button type="button" disabled={text === ""} title={text} onClick={() => void copy()}>
      {copied === text && text !== "" ? "Copied" : "Copy line"}
    </button>
  );
}
