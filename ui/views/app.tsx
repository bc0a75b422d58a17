import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ClusterMap } from "./cluster-map.tsx";
import { DecisionsView } from "./decisions-view.tsx";
import { NodeView } from "./node-view.tsx";
import { ConnectionNotice } from "./connection-notice.tsx";
import { PodView } from "./pod-view.tsx";
import { type Route, useRoute } from "./route.ts";
import { useSavedMoment } from "./saved-moment.tsx";
import { Timeline } from "./timeline.tsx";
import { TopBar } from "./top-bar.tsx";
import { WorkloadView } from "./workload-view.tsx";
import { WorkloadsView } from "./workloads-view.tsx";

/** The whole page: the bar, the view of the address, and the timeline. */
export function App(): JSX.Element {
  const route = useRoute();
  const { saved } = useSavedMoment();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // Another filter is the same view: it keeps the focus and what is open.
  const address = JSON.stringify({ ...route, filter: undefined, address: undefined, chosen: undefined });
  useEffect(() => {
    // Screen readers announce the new view; the browser itself announces the first one.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [address]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to the view
      </a>
      <TopBar route={route} />
      <ConnectionNotice />
      <main id="main" ref={main} tabIndex={-1} aria-label={titleOf(route)}>
        <View key={address} route={route} />
      </main>
      {saved === undefined && <Timeline />}
    </>
  );
}

function View({ route }: { readonly route: Route }): JSX.Element {
  switch (route.view) {
    case "cluster":
      return <ClusterMap address={route.address} />;
    case "workloads":
      return <WorkloadsView />;
    case "workload":
      return <WorkloadView name={route.workload} />;
    case "pod":
      return <PodView namespace={route.namespace} name={route.name} />;
    case "node":
      return <NodeView name={route.name} />;
    case "decisions":
      return <DecisionsView filter={route.filter} chosen={route.chosen} />;
  }
}

function titleOf(route: Route): string {
  switch (route.view) {
    case "cluster":
      return "Cluster";
    case "workloads":
      return "Workloads";
    case "workload":
      return `${route.workload.kind} ${route.workload.name}`;
    case "pod":
      return `Pod ${route.name}`;
    case "node":
      return `Node ${route.name}`;
    case "decisions":
      return "Decisions";
  }
}
