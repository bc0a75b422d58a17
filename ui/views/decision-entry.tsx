import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { PastCluster } from "../history/change-log.ts";
import { type DecisionMoment, momentBefore } from "../history/decision-moment.ts";
import type { DecisionEntry, RolloutEntryStep } from "../model/decision-entries.ts";
import { DecisionTable } from "./decision-table.tsx";
import { podHref, workloadHref } from "./route.ts";
import { ShareMoment } from "./share-moment.tsx";
import { useStore } from "./use-store.ts";

interface EntryProps {
  readonly entry: DecisionEntry;
  /** Whether the address says that it is open. */
  readonly isChosen: boolean;
  readonly choose: (id: string) => void;
}

/** One decision, which opens to the table behind it. */
export function Entry({ entry, isChosen, choose }: EntryProps): JSX.Element {
  const [isOpen, setOpen] = useState(isChosen);
  const place = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isChosen) place.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const toggle = (open: boolean) => {
    if (open === isOpen) return;
    setOpen(open);
    if (open) choose(entry.id);
    else if (isChosen) choose("");
  };
  const { time, kind, about, sentence } = entry;
  return (
    <li>
      <details ref={place} open={isOpen} onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
        <summary>
          <time dateTime={time}>{time.slice(11, 23).replace("Z", "")}</time>
          <span class={`kind ${kind}`}>{kind}</span>
          <b>
            <span class="quiet">{about.namespace}/</span>
            {about.name}
          </b>
          <span class="sentence">
            {sentence}
            {entry.kind === "rollout" && entry.steps.length > 1 && (
              <span class="quiet"> · {entry.steps.length} steps</span>
            )}
          </span>
        </summary>
        {isOpen && (
          <>
            <p>
              <a href={about.kind === "Pod" ? podHref({ metadata: about }) : workloadHref(about)}>
                {about.kind} {about.name}
              </a>
            </p>
            <BeforeIt entry={entry} />
            <DecisionTable entry={entry} />
            {entry.kind === "rollout" && <Steps steps={entry.steps} />}
          </>
        )}
      </details>
    </li>
  );
}

/** Leads to the moment before a removal, in which the same decision is still to be made, and sends it to others. */
function BeforeIt({ entry }: Pick<EntryProps, "entry">): JSX.Element | null {
  const store = useStore();
  if (entry.kind !== "removal" || entry.record === undefined) return null;
  const before = momentBefore(entry.record, store.log);
  if (before === undefined) return null;
  const objectsBefore = ({ position }: DecisionMoment) => {
    const past = new PastCluster(store.live, store.log);
    past.moveToPosition(position);
    return past.state.objects;
  };
  return (
    <p class="before-it">
      <button type="button" class="small" onClick={() => store.showMoment(before.moment)}>
        Show the cluster just before
      </button>{" "}
      <ShareMoment
        label="Share the decision"
        momentOf={({ clockOf, facts }) => ({
          objects: objectsBefore(before),
          now: clockOf(before.moment),
          facts,
        })}
      />
    </p>
  );
}

/** What the passes of a rollout said, the newest first. */
function Steps({ steps }: { readonly steps: readonly RolloutEntryStep[] }): JSX.Element {
  return (
    <ol class="steps">
      {steps.map(({ time, sentence }) => (
        <li key={time}>
          <time dateTime={time}>{time.slice(11, 23)}</time> <span class="sentence">{sentence}</span>
        </li>
      ))}
    </ol>
  );
}
