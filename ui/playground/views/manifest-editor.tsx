import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { messageOf } from "../../../src/api/message-of.ts";
import { browserClock } from "../../live/browser-clock.ts";
import type { Applied, ManifestWords } from "../messages.ts";
import { lineOf, startOfRow } from "../typed-yaml.ts";
import type { WorkerLink } from "../worker-link.ts";
import { YamlArea } from "./yaml-area.tsx";

/** What the panel begins with. */
export const exampleManifest = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: mine
spec:
  replicas: 6
  selector: { matchLabels: { app: mine } }
  template:
    metadata: { labels: { app: mine } }
    spec:
      containers:
        - name: mine
          image: example.com/mine:1
`;

/** A text that `kubectl edit` waits for. */
export interface Editing {
  readonly text: string;
  /** Without a text nothing is changed. */
  readonly done: (text?: string) => void;
}

interface ManifestEditorProps {
  readonly link: WorkerLink;
  readonly text: string;
  readonly setText: (text: string) => void;
}

/** How long the user has to pause before what was typed is checked. */
const checkAfterMs = 300;

/** What is wrong with a text by its schema, some time after the last change of it. */
function useProblems(link: WorkerLink, text: string): readonly string[] {
  const [problems, setProblems] = useState<readonly string[]>([]);
  const isExample = text === exampleManifest; // it has no mistakes
  useEffect(() => {
    const check = () =>
      link
        .ask<readonly string[]>({ ask: "check", text })
        .then(setProblems, (error: unknown) => setProblems([messageOf(error)])); // the boundary to the user
    if (isExample) return undefined;
    const due = browserClock.after(checkAfterMs, () => void check());
    return () => due.cancel();
  }, [link, text, isExample]);
  return isExample ? [] : problems;
}

/** A text of manifests, what is wrong with it by line and column while it is typed, and what came of applying it. */
function ManifestEditor({ link, text, setText }: ManifestEditorProps): JSX.Element {
  const [applied, setApplied] = useState<Applied & { readonly text: string }>();
  const found = useProblems(link, text);
  // What applying has refused is true of the text that was applied.
  const refused = applied?.text === text ? applied.problems : [];
  const problems = [...new Set([...refused, ...found])];
  const apply = async () => {
    try {
      setApplied({ ...(await link.ask<Applied>({ ask: "apply", text })), text });
    } catch (error) {
      setApplied({ done: [], problems: [messageOf(error)], text }); // the boundary to the user
    }
  };
  const applyByKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return false;
    event.preventDefault();
    void apply();
    return true;
  };
  return (
    <div class="editor">
      <label class="visually-hidden" for="manifest">
        Manifests
      </label>
      <YamlArea
        id="manifest"
        text={text}
        setText={setText}
        wrongLines={new Set(problems.flatMap((problem) => lineOf(problem) ?? []))}
        words={(typed, at) => link.ask<ManifestWords>({ ask: "words", text: typed, at })}
        byKey={applyByKey}
      />
      <div class="editor-actions">
        <button type="button" class="strong" onClick={() => void apply()}>
          Apply
        </button>
        <span class="quiet">Ctrl-Enter; Ctrl-Space completes</span>
      </div>
      <div role="status" class="applied">
        {applied?.done.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {problems.map((line) => (
          <Problem key={line} text={text} problem={line} />
        ))}
      </div>
    </div>
  );
}

/** A mistake; one that has a place shows it. */
function Problem({ text, problem }: { readonly text: string; readonly problem: string }): JSX.Element {
  const line = lineOf(problem);
  if (line === undefined) return <p class="bad">{problem}</p>;
  const show = () => {
    const area = document.querySelector<HTMLTextAreaElement>("#manifest");
    area?.focus();
    area?.setSelectionRange(startOfRow(text, line - 1), startOfRow(text, line) - 1);
  };
  return (
    <p>
      <button type="button" class="plain bad" onClick={show}>
        {problem}
      </button>
    </p>
  );
}

/** The editor that `kubectl edit` opens. */
function ObjectEditor({ editing }: { readonly editing: Editing }): JSX.Element {
  const [text, setText] = useState(editing.text);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  return (
    <div class="editor">
      <label class="visually-hidden" for="edited">
        The object that kubectl edit changes
      </label>
      <textarea
        id="edited"
        ref={area}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div class="editor-actions">
        <button type="button" class="strong" onClick={() => editing.done(text)}>
          Save
        </button>
        <button type="button" onClick={() => editing.done()}>
          Cancel
        </button>
        <span class="quiet">kubectl edit waits for it</span>
      </div>
    </div>
  );
}

/** Manifests to apply, or while it waits what `kubectl edit` changes. */
export function Editors({
  editing,
  ...manifests
}: ManifestEditorProps & { readonly editing: Editing | undefined }): JSX.Element {
  return editing === undefined ? (
    <ManifestEditor {...manifests} />
  ) : (
    <ObjectEditor key={editing.text} editing={editing} />
  );
}
