import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { messageOf } from "../../../src/api/message-of.ts";
import type { Applied } from "../messages.ts";
import type { WorkerLink } from "../worker-link.ts";

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

/** A text of manifests, what is wrong with it by line and column, and what came of applying it. */
function ManifestEditor({ link, text, setText }: ManifestEditorProps): JSX.Element {
  const [applied, setApplied] = useState<Applied>();
  const apply = async () => {
    try {
      setApplied(await link.ask<Applied>({ ask: "apply", text }));
    } catch (error) {
      setApplied({ done: [], problems: [messageOf(error)] }); // the boundary to the user
    }
  };
  const applyByKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void apply();
  };
  return (
    <div class="editor">
      <label class="visually-hidden" for="manifest">
        Manifests
      </label>
      <textarea
        id="manifest"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={applyByKey}
      />
      <div class="editor-actions">
        <button type="button" class="strong" onClick={() => void apply()}>
          Apply
        </button>
        <span class="quiet">Ctrl-Enter</span>
      </div>
      <div role="status" class="applied">
        {applied?.done.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {applied?.problems.map((line) => (
          <p key={line} class="bad">
            {line}
          </p>
        ))}
      </div>
    </div>
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
