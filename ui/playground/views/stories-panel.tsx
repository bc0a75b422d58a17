import type { JSX } from "preact";
import { type Story, stories } from "../stories.ts";

/** The stories, by the proposal that they show. */
export function StoriesPanel({
  current,
  open,
}: {
  readonly current: string;
  readonly open: (story: Story) => void;
}): JSX.Element {
  return (
    <ol class="stories">
      {stories.map((story) => (
        <li key={story.name}>
          <button
            type="button"
            class="story"
            aria-current={story.name === current ? "true" : undefined}
            onClick={() => open(story)}
          >
            <span>{story.title}</span>
            {story.proposal !== undefined && <span class="quiet"> {story.proposal}</span>}
          </button>
        </li>
      ))}
    </ol>
  );
}
