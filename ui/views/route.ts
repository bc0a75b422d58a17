import { useEffect, useState } from "preact/hooks";
import { formatMicroTime, type Instant, parseTime } from "../../src/api/time.ts";
import { densities, type Density } from "../model/map-layout.ts";
import type { PodFilter } from "../model/pod-filter.ts";
import { type GroupBy, groupings } from "../model/pod-groups.ts";
import { shownStates } from "../model/pod-state.ts";
import { type DecisionFilter, decisionKinds } from "../model/decision-entries.ts";
import type { WorkloadName } from "../model/workloads.ts";

/** What the page shows, as its address says. */
export type Route =
  | { readonly view: "cluster"; readonly address: ClusterAddress }
  | { readonly view: "workloads" }
  | { readonly view: "workload"; readonly workload: WorkloadName }
  | { readonly view: "pod"; readonly namespace: string; readonly name: string }
  | { readonly view: "node"; readonly name: string }
  | { readonly view: "decisions"; readonly filter: DecisionFilter; readonly chosen: string };

/** What the view of the cluster shows, as its address says. */
export interface ClusterAddress {
  readonly filter: PodFilter;
  readonly groupBy: GroupBy;
  /** Empty: what fits. */
  readonly density: Density | "";
}

/** Reads the part of an address behind `#`; what is unknown shows the cluster. */
export function parseRoute(hash: string): Route {
  const [path = "", query] = hash.replace(/^#\/?/, "").split("?");
  const [view = "", ...parts] = path.split("/").map(decoded);
  const [first = "", second = "", third = ""] = parts;
  switch (view) {
    case "workloads":
      return third === ""
        ? { view: "workloads" }
        : { view: "workload", workload: { kind: first, namespace: second, name: third } };
    case "pods":
      return { view: "pod", namespace: first, name: second };
    case "nodes":
      return { view: "node", name: first };
    case "decisions":
      return { view: "decisions", filter: decisionFilter(query), chosen: chosenDecision(query) };
    default:
      return { view: "cluster", address: clusterAddress(query) };
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a stray percent sign in an address that was typed
  }
}

const address = (...parts: readonly string[]) => `#/${parts.map(encodeURIComponent).join("/")}`;

export const workloadHref = ({ kind, namespace, name }: WorkloadName): string =>
  address("workloads", kind, namespace, name);

export const podHref = (pod: {
  readonly metadata: { readonly namespace?: string; readonly name: string };
}): string => address("pods", pod.metadata.namespace ?? "", pod.metadata.name);

export const nodeHref = (name: string): string => address("nodes", name);

/** What is listed where the address does not say: Pods that were removed, which is what most people look for. */
const defaultKind = "removal";

function decisionFilter(query = ""): DecisionFilter {
  const parameters = new URLSearchParams(query);
  const kind = parameters.get("kind") ?? defaultKind;
  return {
    kind: decisionKinds.find((each) => each === kind) ?? (kind === "all" ? "" : defaultKind),
    of: parameters.get("of") ?? "",
    search: parameters.get("search") ?? "",
  };
}

/** The decision that is open, by its id; empty: none. */
const chosenDecision = (query = "") => new URLSearchParams(query).get("open") ?? "";

export function decisionsHref({ kind, of, search }: DecisionFilter, chosen = ""): string {
  const shown = { kind: kind === defaultKind ? "" : kind || "all", of, search };
  return withQuery("#/decisions", { ...shown, open: chosen });
}

function clusterAddress(query = ""): ClusterAddress {
  const parameters = new URLSearchParams(query);
  return {
    filter: {
      text: parameters.get("search") ?? "",
      workload: parameters.get("of") ?? "",
      state: shownStates.find(({ state }) => state === parameters.get("state"))?.state ?? "",
    },
    groupBy: groupings.find((each) => each === parameters.get("colour")) ?? "workload",
    density: densities.find((each) => each === parameters.get("show")) ?? "",
  };
}

export function clusterHref({ filter, groupBy, density }: ClusterAddress): string {
  return withQuery("#/cluster", {
    search: filter.text,
    of: filter.workload,
    state: filter.state,
    colour: groupBy === "workload" ? "" : groupBy,
    show: density,
  });
}

/** The moment of the past that an address shows, by the clock of the browser; `undefined`: the present. */
export function momentIn(hash: string): Instant | undefined {
  const [, query = ""] = hash.split("?");
  return parseTime(new URLSearchParams(query).get("at") ?? undefined);
}

/** The same view at another moment. */
export function atMoment(hash: string, moment: Instant | undefined): string {
  const [path = "", query = ""] = hash.split("?");
  const parameters = new URLSearchParams(query);
  parameters.delete("at");
  if (moment !== undefined) parameters.set("at", `${formatMicroTime(moment).slice(0, 23)}Z`);
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
}

function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const given = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ""));
  return given.size === 0 ? path : `${path}?${given.toString()}`;
}

/** The route of the address, and of every address after it. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const follow = () => setRoute(parseRoute(location.hash));
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  return route;
}
