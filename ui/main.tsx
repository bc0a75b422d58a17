import { render } from "preact";
import { browserClock } from "./live/browser-clock.ts";
import { fetchConnector } from "./live/page-connector.ts";
import { browserSlots } from "./live/stream-slots.ts";
import { PageStore } from "./page-store.ts";
import { Page } from "./views/page.tsx";

/** Without the Web Locks API, tabs do not share connections. */
const locks = navigator.locks as LockManager | undefined;
const store = new PageStore({
  connector: fetchConnector({ fetch: (input, init) => fetch(input, init), clock: browserClock }),
  clock: browserClock,
  onNextFrame: (task) => void requestAnimationFrame(task),
  ...(locks !== undefined && {
    slots: browserSlots({ locks, channel: new BroadcastChannel("trimtab"), document }),
  }),
});
const root = document.querySelector("#page");
if (root !== null) render(<Page live={store} />, root);
void store.run(new AbortController().signal);
