import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { messageOf } from "../../src/api/message-of.ts";
import { formatMicroTime } from "../../src/api/time.ts";
import { browserSecret } from "../live/browser-random.ts";
import { download } from "../live/download.ts";
import { useStore } from "./use-store.ts";

/** Saves the moment that is shown as a snapshot: a file that other commands and the playground open. */
export function SaveMoment(): JSX.Element {
  const store = useStore();
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const save = async (isAnonymised: boolean) => {
    try {
      // Only those who save need what writes snapshots.
      const { snapshotText } = await import("../model/snapshot-text.ts");
      const { shown, context } = store;
      const { now } = context;
      const secret = isAnonymised ? { secret: browserSecret() } : {};
      const name = `moment-${formatMicroTime(now).slice(0, 19).replaceAll(":", "")}.yaml`;
      download(name, snapshotText(shown.objects, { now, ...secret }));
      setProblem(undefined);
    } catch (error) {
      // The boundary to the user.
      setProblem(messageOf(error));
    }
    setAsking(false);
  };
  if (!isAsking)
    return (
      <>
        <button type="button" class="small" onClick={() => setAsking(true)}>
          Save moment
        </button>
        {problem !== undefined && <span class="bad">{problem}</span>}
      </>
    );
  return (
    <span class="confirm">
      <button type="button" class="small strong" onClick={() => void save(true)}>
        with other names
      </button>
      <button type="button" class="small" onClick={() => void save(false)}>
        as it is
      </button>
      <button type="button" class="small" onClick={() => setAsking(false)}>
        Cancel
      </button>
    </span>
  );
}
