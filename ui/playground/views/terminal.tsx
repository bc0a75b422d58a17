import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { messageOf } from "../../../src/api/message-of.ts";
import type { Written } from "../messages.ts";
import type { WorkerLink } from "../worker-link.ts";

/** The lines that are kept: a watch may write for hours. */
const mostPieces = 2000;

interface Piece extends Omit<Written, "to"> {
  readonly to: Written["to"] | "line";
}

const welcome: Piece = {
  to: "out",
  text: "kubectl get pods -o wide, for example. Escape ends a line that runs.\n",
};

const isAtLineStart = (pieces: readonly Piece[]) => pieces.at(-1)?.text.endsWith("\n") ?? true;

/** Lines for kubectl, and what they write. Up and Down go through those before. */
export function Terminal({ link }: { readonly link: WorkerLink }): JSX.Element {
  const [pieces, setPieces] = useState<readonly Piece[]>([welcome]);
  const [line, setLine] = useState("");
  const [running, setRunning] = useState<AbortController>();
  const history = useRef<readonly string[]>([]);
  const place = useRef(0);
  const log = useRef<HTMLDivElement>(null);
  const add = (more: readonly Piece[]) => setPieces((before) => [...before, ...more].slice(-mostPieces));
  useEffect(() => log.current?.scrollTo(0, log.current.scrollHeight), [pieces]);

  const run = async () => {
    const asked = line.trim();
    setLine("");
    if (asked === "") return;
    history.current = [...history.current.filter((each) => each !== asked), asked];
    place.current = history.current.length;
    if (asked === "clear") return setPieces([]);
    add([{ to: "line", text: `${isAtLineStart(pieces) ? "" : "\n"}$ ${asked}\n` }]);
    const ending = new AbortController();
    setRunning(ending);
    try {
      const parts = (more: readonly unknown[]) => add(more as readonly Written[]);
      await link.ask({ ask: "run", line: asked }, { parts, signal: ending.signal });
    } catch (error) {
      add([{ to: "err", text: `${messageOf(error)}\n` }]); // the boundary to the user
    }
    setRunning(undefined);
  };

  const recall = (step: number) => {
    place.current = Math.min(history.current.length, Math.max(0, place.current + step));
    setLine(history.current[place.current] ?? "");
  };

  const byKey = (event: KeyboardEvent) => {
    const actions: Readonly<Record<string, () => void>> = {
      Enter: () => void (running === undefined && run()),
      ArrowUp: () => recall(-1),
      ArrowDown: () => recall(1),
      Escape: () => running?.abort(new Error("ended by a key")),
    };
    const action = actions[event.key];
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
      <label class="prompt">
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
    </div>
  );
}
