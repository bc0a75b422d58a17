import { render } from "preact";
import { messageOf } from "../../src/api/message-of.ts";
import type { Play } from "./messages.ts";
import { type Playing, startPlaying } from "./playing.ts";
import { readLink } from "./share-link.ts";
import { firstStory, type Story, stories } from "./stories.ts";
import { Playground } from "./views/playground.tsx";
import "./playground.css";

/** What is to be played, and what to say about the link it came from. */
interface Opening {
  readonly story: Story | undefined;
  readonly scenario: string;
  readonly seed: number;
  readonly files?: Play["files"];
  readonly notice?: string;
}

const root = document.querySelector("#playground");
let current: Playing | undefined;

async function show(opening: Opening): Promise<void> {
  const { story, scenario, seed, files, notice } = opening;
  const moments = story?.moments.map(({ at }) => at) ?? [];
  const playing = await startPlaying({ scenario, seed, moments, ...(files !== undefined && { files }) });
  current?.end();
  current = playing;
  if (root === null) return;
  const open = (next: Story) => {
    history.replaceState(null, "", `#story=${next.name}`);
    void show({ story: next, scenario: next.scenario, seed: 1 });
  };
  const openFile = (file: Pick<Play, "scenario" | "files">) =>
    void showOrSay({ story: undefined, seed: 1, ...file }, "This file");
  // Each play has views of its own: what they remember is of the cluster before.
  render(
    <Playground
      key={++plays}
      playing={playing}
      story={story}
      open={open}
      openFile={openFile}
      notice={notice}
    />,
    root,
  );
}

let plays = 0;

async function openingOf(hash: string): Promise<Opening> {
  const first = { story: firstStory, scenario: firstStory.scenario, seed: 1 };
  const read = await readLink(hash);
  switch (read.kind) {
    case "none":
      return first;
    case "unreadable":
      return { ...first, notice: `This link cannot be read: ${read.why}.` };
    case "play":
      return { story: undefined, ...read.play };
    case "story": {
      const story = stories.find(({ name }) => name === read.name);
      if (story === undefined) return { ...first, notice: `There is no story ${read.name}.` };
      return { story, scenario: story.scenario, seed: read.seed };
    }
  }
}

/** Shows a play that a stranger may have made; where it has mistakes, the first story, and what they are. */
async function showOrSay(opening: Opening, what: string): Promise<void> {
  try {
    await show(opening);
  } catch (error) {
    const notice = `${what} has mistakes: ${messageOf(error)}`;
    await show({ story: firstStory, scenario: firstStory.scenario, seed: 1, notice });
  }
}

void openingOf(location.hash).then((opening) => showOrSay(opening, "The scenario of this link"));
