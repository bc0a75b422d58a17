import type { JSX } from "preact";
import type { TimeState } from "../messages.ts";
import { changeTime } from "../playing.ts";
import type { Story } from "../stories.ts";
import type { WorkerLink } from "../worker-link.ts";

interface Told {
  readonly story: Story | undefined;
  readonly time: TimeState | undefined;
}

/** The sentence of a moment; before the first one, what the story is about. */
function sentenceOf({ story, time }: Told): string {
  if (story === undefined || time === undefined) return "";
  const { moments, title, begin = `${title}. Press Play, or jump to the first moment.` } = story;
  if (time.moment !== undefined) return moments[time.moment]?.say ?? "";
  return time.nextMoment === 0 || moments.length === 0 ? begin : "";
}

/** What there is to see at this moment of a story, and the way to the next one. */
export function StoryBar({ link, story, time }: Told & { readonly link: WorkerLink }): JSX.Element {
  const next = time?.nextMoment;
  return (
    <div class={time?.moment === undefined ? "say" : "say moment"} hidden={story === undefined}>
      <p role="status">{sentenceOf({ story, time })}</p>
      {next !== undefined && (
        <button type="button" onClick={() => void changeTime(link, { to: "moment" })}>
          Moment {next + 1} of {story?.moments.length} ▸
        </button>
      )}
    </div>
  );
}
