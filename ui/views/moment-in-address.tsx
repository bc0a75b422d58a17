import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Instant } from "../../src/api/time.ts";
import { browserClock } from "../live/browser-clock.ts";
import type { PageStore } from "../page-store.ts";
import { clockTime } from "./format.ts";
import { atMoment, momentIn } from "./route.ts";
import { useFrames } from "./use-store.ts";

/** Keeps the moment that is shown in the address, shows that of an address that was opened, and says where it cannot. */
export function MomentInAddress(): JSX.Element | null {
  const store = useFrames(500);
  const [isFollowed, setFollowed] = useState(() => momentIn(location.hash) === undefined);
  const [missed, setMissed] = useState<Instant>();
  useEffect(() => {
    // An address that says nothing of a moment is another view of the same one.
    const follow = () => momentIn(location.hash) !== undefined && setFollowed(false);
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  useEffect(() => {
    if (isFollowed) return writeMoment(store.moment);
    // Before everything was listed, there is no history yet.
    if (store.connection.kind !== "live") return;
    const wanted = momentIn(location.hash);
    const isKept = wanted !== undefined && wanted >= store.log.since && wanted <= browserClock.now();
    if (isKept) store.showMoment(wanted);
    setMissed(isKept ? undefined : wanted);
    setFollowed(true);
  });
  return missed === undefined ? null : (
    <Missed missed={missed} store={store} dismiss={() => setMissed(undefined)} />
  );
}

/** Replaces the address, without another step in the history of the browser. */
function writeMoment(moment: Instant | undefined): void {
  const { hash } = location;
  // Links of the playground have no views in them.
  if (hash !== "" && !hash.startsWith("#/")) return;
  const wanted =
    moment === undefined && hash === "" ? "" : atMoment(hash === "" ? "#/cluster" : hash, moment);
  if (wanted !== hash) history.replaceState(history.state, "", wanted);
}

interface MissedProps {
  readonly missed: Instant;
  readonly store: PageStore;
  readonly dismiss: () => void;
}

function Missed({ missed, store: { clockOf, log }, dismiss }: MissedProps): JSX.Element {
  return (
    <p class="notice">
      The moment of this address, <b>{clockTime(clockOf(missed))}</b>, is not kept here: what this tab has
      seen begins at {clockTime(clockOf(log.since))}. What you see is the present. “Share moment” sends a
      moment to others.{" "}
      <button type="button" class="small" onClick={dismiss}>
        OK
      </button>
    </p>
  );
}
