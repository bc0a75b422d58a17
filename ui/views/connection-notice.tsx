import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { RefusedKind } from "../live/connection.ts";
import { watchedResources } from "../live/kinds.ts";
import { useFrames } from "./use-store.ts";
import { clockTime } from "./format.ts";
import { MomentInAddress } from "./moment-in-address.tsx";
import { SavedMomentNotice, useSavedMoment } from "./saved-moment.tsx";

/** Reports when the page does not show the present state: a lost connection, an ended session, kinds that cannot be read. */
export function ConnectionNotice(): JSX.Element {
  const { connection, clockOf, facts } = useFrames(200);
  const { saved } = useSavedMoment();
  const isOld = connection.kind !== "live" && connection.kind !== "opening";
  useEffect(() => void document.documentElement.classList.toggle("old", isOld), [isOld]);
  return (
    <div class="notices" role="alert">
      <SavedMomentNotice />
      {saved === undefined && <MomentInAddress />}
      {connection.kind === "lost" && (
        <p class="notice bad">
          <b>Connection lost at {clockTime(clockOf(connection.since))}.</b> What you see is as it was then.
          Trying again by itself. <span class="quiet">{connection.message}</span>
        </p>
      )}
      {connection.kind === "paused" && (
        <p class="notice bad">
          <b>Paused since {clockTime(clockOf(connection.since))}.</b> A browser keeps few connections to one
          server, and other tabs of this page have them. What you see is as it was then; it goes on by itself
          when one of them is closed or hidden.
        </p>
      )}
      {connection.kind === "session-ended" && (
        <p class="notice bad">
          <b>The session of this page has ended.</b> Open a new link: press <kbd>Enter</kbd> in the terminal
          of <code>trimtab up</code>, or run <code>trimtab page</code>. What you see is old.
        </p>
      )}
      {facts?.namespace !== undefined && (
        <p class="notice">
          Only namespace <b>{facts.namespace}</b> is listed: Pods of other namespaces, and what they take up
          on nodes, are not seen.
        </p>
      )}
      {connection.kind === "live" && connection.refused.length > 0 && (
        <Refused refused={connection.refused} />
      )}
    </div>
  );
}

function Refused({ refused }: { readonly refused: readonly RefusedKind[] }): JSX.Element {
  return (
    <details class="notice">
      <summary>
        Some objects cannot be read, and views leave them out:{" "}
        {refused.map(({ name }) => watchedResources[name].plural).join(", ")}
      </summary>
      <ul>
        {refused.map(({ name, message }) => (
          <li key={name}>{message}</li>
        ))}
      </ul>
    </details>
  );
}
