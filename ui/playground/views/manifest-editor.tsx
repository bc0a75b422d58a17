import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { messageOf } from "../../../src/api/message-of.ts";
import type { Applied } from "../messages.ts";
import type { WorkerLink } from "../worker-link.ts";

const example = `apiVersion: apps/v1
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

/** A text of manifests, what is wrong with it by line and column, and what came of applying it. */
export function ManifestEditor({ link }: { readonly link: WorkerLink }): JSX.Element {
  const [text, setText] = useState(example);
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
