import type { JSX } from "preact";
import { type Story, stories } from "../stories.ts";

/** What the proposals are about. */
const subjects: Readonly<Record<string, string>> = {
  "KEP-1258": "KEP-1258: spread by default",
  "KEP-2185": "KEP-2185: ages by magnitude",
  "KEP-3189": "KEP-3189: pod pickers",
  "KEP-3973": "KEP-3973: when Pods are replaced",
};

/** The proposals, in the order of their stories; the first story shows none. */
const proposals = [...new Set(stories.map(({ proposal }) => proposal))];

const headingOf = (proposal: string) =>
  proposal === "" ? "To begin with" : (subjects[proposal] ?? `Label ${proposal}`);

interface StoriesPanelProps {
  readonly current: string;
  readonly open: (story: Story) => void;
}

/** The stories, by the proposal that they show. */
export function StoriesPanel(props: StoriesPanelProps): JSX.Element {
  return (
    <div class="stories">
      {proposals.map((proposal = "") => (
        <section key={proposal} aria-label={headingOf(proposal)}>
          {proposal !== "" && <h2 class="quiet">{headingOf(proposal)}</h2>}
          <ol>
            {stories
              .filter((story) => (story.proposal ?? "") === proposal)
              .map((story) => (
                <StoryButton key={story.name} story={story} {...props} />
              ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function StoryButton({ story, current, open }: StoriesPanelProps & { readonly story: Story }): JSX.Element {
  return (
    <li>
      <button
        type="button"
        class="story"
        aria-current={story.name === current ? "true" : undefined}
        onClick={() => open(story)}
      >
        {story.title}
      </button>
    </li>
  );
}
