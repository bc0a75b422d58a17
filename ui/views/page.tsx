import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { messageOf } from "../../src/api/message-of.ts";
import { browserClock } from "../live/browser-clock.ts";
import { savedConnector } from "../live/saved-connector.ts";
import { PageStore } from "../page-store.ts";
import { App } from "./app.tsx";
import { SavedMomentContext, type SavedMomentState } from "./saved-moment.tsx";
import { StoreContext } from "./use-store.ts";

/** The largest file that is read: a snapshot of 5,000 Pods has a tenth of it. */
const longestFile = 64 * 2 ** 20;

type OpenedFile = NonNullable<SavedMomentState["saved"]> & {
  readonly store: PageStore;
  readonly end: () => void;
};

/** The page of a cluster, or of a saved moment that was opened in it; the cluster is watched meanwhile. */
export function Page({ live }: { readonly live: PageStore }): JSX.Element {
  const [saved, setSaved] = useState<OpenedFile>();
  const [problem, setProblem] = useState<string>();
  const show = (next: OpenedFile | undefined) => {
    saved?.end();
    setSaved(next);
    setProblem(undefined);
    location.hash = "#/cluster";
  };
  const open = async (file: File) => {
    try {
      show(await openFile(file, live));
    } catch (error) {
      // The boundary to the user.
      setProblem(messageOf(error));
    }
  };
  const opener = { open: (file: File) => void open(file), close: () => show(undefined) };
  useDroppedFiles(opener.open);
  return (
    <SavedMomentContext.Provider value={{ ...opener, saved, problem }}>
      <StoreContext.Provider value={saved?.store ?? live}>
        <App key={saved === undefined ? "live" : "saved"} />
      </StoreContext.Provider>
    </SavedMomentContext.Provider>
  );
}

/** A store of what is in a file; throws a sentence about what is wrong with it. */
async function openFile(file: File, { facts }: PageStore): Promise<OpenedFile> {
  if (file.size > longestFile) throw new Error(`${file.name} has more than ${longestFile / 2 ** 20} MiB.`);
  if (facts === undefined) throw new Error("The page has not reached its cluster yet.");
  // Only those who open a file need what reads snapshots.
  const { openMoment } = await import("../model/opened-moment.ts");
  const opened = openMoment(await file.text(), file.name);
  if (!opened.ok) throw new Error(opened.problem);
  const { snapshot } = opened;
  const store = new PageStore({
    connector: savedConnector(snapshot, facts),
    clock: browserClock,
    onNextFrame: (task) => void requestAnimationFrame(task),
  });
  const ended = new AbortController();
  void store.run(ended.signal);
  return { file: file.name, snapshot, store, end: () => ended.abort(new Error("another moment is shown")) };
}

/** Opens a file that is dropped anywhere on the page. */
function useDroppedFiles(open: (file: File) => void): void {
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    // Without this the browser shows the file in place of the page.
    addEventListener("dragover", (event) => event.preventDefault(), { signal });
    const drop = (event: DragEvent) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file !== undefined) latest.current(file);
    };
    addEventListener("drop", drop, { signal });
    return () => ending.abort();
  }, []);
}
