import { download } from "../../live/download.ts";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Play, PlayedScenario } from "../messages.ts";
import { longestFile, playOfFile } from "../opened-file.ts";
import { linkOf } from "../share-link.ts";
import type { WorkerLink } from "../worker-link.ts";

export interface FilesProps {
  readonly play: Play;
  readonly link: WorkerLink;
  readonly openFile: (play: Pick<Play, "scenario" | "files">) => void;
}

/** Opens a scenario or a snapshot, also one that is dropped on the page, saves the scenario, exports manifests, and copies a link that begins the same play elsewhere. */
export function Files({ play, link, openFile }: FilesProps): JSX.Element {
  const [said, setSaid] = useState("");
  /** The scenario with what was done by hand. */
  const played = async () => {
    const { text, missing } = await link.ask<PlayedScenario>({ ask: "scenario" });
    return { text, without: missing.length === 0 ? "" : `. Not in it: ${missing.join("; ")}` };
  };
  const share = async () => {
    if (play.files !== undefined) return setSaid("A snapshot is too large for a link: send its file");
    const url = new URL(location.href);
    const { text, without } = await played();
    url.hash = await linkOf({ scenario: text, seed: play.seed });
    try {
      await navigator.clipboard.writeText(url.href);
      setSaid(`Link copied${without}`);
    } catch {
      // The browser does not let the page write to the clipboard: the address bar has the link then.
      history.replaceState(null, "", url);
      setSaid(`The link is in the address bar${without}`);
    }
  };
  const saveScenario = async () => {
    const { text, without } = await played();
    download("scenario.yaml", text);
    setSaid(`Saved${without}`);
  };
  const exportManifests = async () => {
    download("manifests.yaml", await link.ask<string>({ ask: "manifests" }));
    setSaid("kubectl apply -f manifests.yaml makes the same workloads elsewhere");
  };
  const open = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > longestFile) return setSaid(`${file.name} has more than ${longestFile / 2 ** 20} MiB`);
    openFile(playOfFile(await file.text()));
  };
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    // Without this the browser shows the file in place of the page.
    addEventListener("dragover", (event) => event.preventDefault(), { signal });
    const drop = (event: DragEvent) => {
      event.preventDefault();
      void open(event.dataTransfer?.files[0]);
    };
    addEventListener("drop", drop, { signal });
    return () => ending.abort();
  });
  return (
    <div class="share">
      <label class="open-file">
        <input
          type="file"
          accept=".yaml,.yml,.json"
          class="visually-hidden"
          onChange={({ currentTarget }) => void open(currentTarget.files?.[0])}
        />
        <span class="button">Open…</span>
      </label>
      <button type="button" onClick={() => void saveScenario()}>
        Save
      </button>
      <button type="button" onClick={() => void exportManifests()}>
        Export
      </button>
      <button type="button" onClick={() => void share()}>
        Share
      </button>
      <span role="status" class="quiet">
        {said}
      </span>
    </div>
  );
}
