import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { messageOf } from "../../src/api/message-of.ts";
import { events } from "../../src/api/resources.ts";
import { logLines } from "../live/page-requests.ts";
import { type ContainerRow, containerRows } from "../model/container-rows.ts";
import { type EventLine, eventLines } from "../model/event-lines.ts";
import { useStore } from "./use-store.ts";

/** The containers of a Pod, what happened to it, and what it wrote last. */
export function PodDetails({ pod }: { readonly pod: Pod }): JSX.Element {
  return (
    <>
      <Containers pod={pod} />
      <Events pod={pod} />
    </>
  );
}

function Containers({ pod }: { readonly pod: Pod }): JSX.Element {
  const { requests } = useStore();
  return (
    <section aria-label="Containers">
      <h2>Containers</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Containers of the Pod">
        <table>
          <thead>
            <tr>
              <th scope="col">Container</th>
              <th scope="col">State</th>
              <th scope="col" class="number">
                Restarts
              </th>
              <th scope="col">Before</th>
              <th scope="col">Image</th>
            </tr>
          </thead>
          <tbody>
            {containerRows(pod).map((row) => (
              <ContainerLine key={row.name} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      {requests.log !== undefined &&
        containerRows(pod).map(({ name }) => <Log key={name} pod={pod} container={name} />)}
    </section>
  );
}

function ContainerLine({ row }: { readonly row: ContainerRow }): JSX.Element {
  const { name, isInit, state, restarts, before, image } = row;
  return (
    <tr>
      <th scope="row">
        {name}
        {isInit && <span class="quiet"> init</span>}
      </th>
      <td>{state}</td>
      <td class="number">{restarts}</td>
      <td>{before}</td>
      <td class="long">{image}</td>
    </tr>
  );
}

/** The last lines of a container, read when it is opened. */
function Log({ pod, container }: { readonly pod: Pod; readonly container: string }): JSX.Element {
  const { requests } = useStore();
  const [text, setText] = useState<string>();
  const { namespace = "", name } = pod.metadata;
  const read = (isOpen: boolean) => {
    if (!isOpen) return;
    requests.log?.({ namespace, name }, container).then(
      (answer) => setText(answer === "" ? "It has written nothing." : answer),
      (error: unknown) => setText(messageOf(error)),
    );
  };
  return (
    <details class="log" onToggle={({ currentTarget }) => read(currentTarget.open)}>
      <summary>
        The last {logLines} lines of {container}
      </summary>
      <pre tabIndex={0}>{text ?? "Asking for its log…"}</pre>
    </details>
  );
}

function Events({ pod }: { readonly pod: Pod }): JSX.Element {
  const found = useEvents(pod);
  return (
    <section aria-label="Events">
      <h2>Events</h2>
      {typeof found === "string" && <p class="quiet">{found}</p>}
      {typeof found === "object" && found.length === 0 && (
        <p class="quiet">There are no events about it, or they are no longer kept.</p>
      )}
      {typeof found === "object" && found.length > 0 && (
        <ol class="events">
          {found.map((line) => (
            <li key={line.uid} class={line.isWarning ? "warning" : ""}>
              <time dateTime={line.time}>{line.time.slice(11, 19)}</time> <b>{line.reason}</b>{" "}
              <span class="sentence">{line.message}</span>
              {line.count > 1 && <span class="quiet"> ×{line.count}</span>}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** The events about a Pod, or why there are none; asked for again when the Pod changes. */
function useEvents(pod: Pod): readonly EventLine[] | string {
  const store = useStore();
  const [found, setFound] = useState<readonly EventLine[] | string>("Asking for its events…");
  const { namespace, uid, resourceVersion } = pod.metadata;
  useEffect(() => {
    let isCurrent = true;
    store.list(events, { namespace, fieldSelector: `involvedObject.uid=${uid}` }).then(
      (items) => isCurrent && setFound(eventLines(items)),
      (error: unknown) => isCurrent && setFound(messageOf(error)),
    );
    return () => void (isCurrent = false);
  }, [store, namespace, uid, resourceVersion]);
  return found;
}
