import { render } from "preact";
import { messageOf } from "../../src/api/message-of.ts";
import { browserClock } from "../live/browser-clock.ts";
import type { Play } from "./messages.ts";
import { keepOffline } from "./offline/keep-offline.ts";
import { type Playing, startPlaying } from "./playing.ts";
import { isLink, readLink } from "./share-link.ts";
import { firstStory, loadScenarios, type Story, stories } from "./stories.ts";
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
    remember(location.hash);
    void openStory(next);
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

const openingOfStory = async (story: Story, seed = 1): Promise<Opening> => ({
  story,
  scenario: await story.scenario(),
  seed,
});

async function openingOf(hash: string): Promise<Opening> {
  const first = await openingOfStory(firstStory);
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
      return openingOfStory(story, read.seed);
    }
  }
}

async function openStory(story: Story): Promise<void> {
  try {
    await show(await openingOfStory(story));
  } catch (error) {
    const notice = `This story could not be loaded: ${messageOf(error)}`;
    await show({ ...(await openingOfStory(firstStory)), notice });
  }
}

/** Shows a play that a stranger may have made; where it has mistakes, the first story, and what they are. */
async function showOrSay(opening: Opening, what: string): Promise<void> {
  try {
    await show(opening);
  } catch (error) {
    const notice = `${what} has mistakes: ${messageOf(error)}`;
    await show({ ...(await openingOfStory(firstStory)), notice });
  }
}

/** When the other stories are loaded: they can be opened without a network then. */
const storiesAfterMs = 500;

/** The link of what is played: views have addresses of their own, which take its place in the address bar. */
const rememberedAs = "trimtab playground";
let played = "";

function remember(hash: string): void {
  played = hash;
  try {
    sessionStorage.setItem(rememberedAs, hash);
  } catch {
    // The browser keeps nothing, or no more: a reload begins with the first story then.
  }
}

/** What a page that is loaded again has played before. */
function remembered(): string {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  try {
    return navigation?.type === "reload" ? (sessionStorage.getItem(rememberedAs) ?? "") : "";
  } catch {
    return ""; // the browser keeps nothing
  }
}

async function openLink(hash: string): Promise<void> {
  remember(hash);
  await showOrSay(await openingOf(hash), "The scenario of this link");
}

/** A link that is put into the address bar of this page, or that is gone back to. */
function followLinks(): void {
  addEventListener("hashchange", () => {
    const { hash } = location;
    if (isLink(hash) && hash !== played) void openLink(hash);
  });
}

async function begin(): Promise<void> {
  await openLink(isLink(location.hash) ? location.hash : remembered());
  followLinks();
  await browserClock.sleep(storiesAfterMs);
  await loadScenarios().catch(() => undefined); // opening one tries again, and says why it fails
  await keepOffline();
}

void begin();
