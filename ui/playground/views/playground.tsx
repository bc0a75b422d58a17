import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { App } from "../../views/app.tsx";
import { StoreContext } from "../../views/use-store.ts";
import type { Playing } from "../playing.ts";
import type { Story } from "../stories.ts";
import { Files, type FilesProps } from "./files.tsx";
import { FaultsPanel } from "./faults-panel.tsx";
import { Editors, type Editing, exampleManifest } from "./manifest-editor.tsx";
import { PickerPanel } from "./picker-panel.tsx";
import { Plots } from "./plots.tsx";
import { StoriesPanel } from "./stories-panel.tsx";
import { StoryBar } from "./story-bar.tsx";
import { TerminalView } from "./terminal.tsx";
import { TimeStrip, useTime } from "./time-strip.tsx";

const panels = {
  stories: "Stories",
  manifests: "Manifests",
  terminal: "Terminal",
  picker: "Picker",
  faults: "Faults",
  plots: "Plots",
} as const;
type Panel = keyof typeof panels;

export interface PlaygroundProps {
  readonly playing: Playing;
  /** Absent: a play from a link. */
  readonly story: Story | undefined;
  readonly open: (story: Story) => void;
  /** Plays what is in a file. */
  readonly openFile: FilesProps["openFile"];
  /** What was wrong with the link that the page was opened with. */
  readonly notice: string | undefined;
}

/** The page of a cluster in this tab: its time, the panels beside it, and the views of any cluster. */
export function Playground({ playing, story, open, openFile, notice }: PlaygroundProps): JSX.Element {
  const { link, store, play } = playing;
  const time = useTime(link);
  const [panel, setPanel] = useState<Panel>("stories");
  const [manifest, setManifest] = useState(exampleManifest);
  const editing = useEditing(link, setPanel);
  return (
    <>
      <section aria-label="Play">
        <div class="above">
          <TimeStrip link={link} time={time} />
          <Files play={play} link={link} openFile={openFile} />
        </div>
        {notice !== undefined && (
          <p class="notice bad" role="alert">
            {notice}
          </p>
        )}
        <StoryBar link={link} story={story} time={time} />
      </section>
      <div class={panel === "stories" ? "beside" : "beside wide"}>
        <section class="panels" aria-label="Panels">
          <div class="panel-tabs">
            {(Object.keys(panels) as Panel[]).map((name) => (
              <button
                key={name}
                type="button"
                class="plain"
                aria-pressed={panel === name}
                onClick={() => setPanel(name)}
              >
                {panels[name]}
              </button>
            ))}
          </div>
          <div class="panel" hidden={panel !== "stories"}>
            <StoriesPanel current={story?.name ?? ""} open={open} />
          </div>
          <div class="panel" hidden={panel !== "manifests"}>
            <Editors editing={editing} link={link} text={manifest} setText={setManifest} />
          </div>
          <div class="panel" hidden={panel !== "terminal"}>
            <TerminalView link={link} manifest={manifest} />
          </div>
          <div class="panel" hidden={panel !== "picker"}>
            <PickerPanel link={link} />
          </div>
          <div class="panel" hidden={panel !== "faults"}>
            <FaultsPanel link={link} isShown={panel === "faults"} />
          </div>
          <div class="panel" hidden={panel !== "plots"}>
            {panel === "plots" && <Plots link={link} />}
          </div>
        </section>
        <div id="page">
          <StoreContext.Provider value={store}>
            <App />
          </StoreContext.Provider>
        </div>
      </div>
    </>
  );
}

/** What `kubectl edit` waits for; its panel is shown meanwhile. */
function useEditing(link: Playing["link"], show: (panel: Panel) => void): Editing | undefined {
  const [editing, setEditing] = useState<Editing>();
  useEffect(
    () =>
      link.answerEdit((text) => {
        show("manifests");
        return new Promise((resolve) => {
          const done = (changed?: string) => {
            setEditing(undefined);
            show("terminal");
            resolve(changed);
          };
          setEditing({ text, done });
        });
      }),
    [link],
  );
  return editing;
}
