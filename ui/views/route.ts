import { useEffect, useState } from "preact/hooks";
import type { WorkloadName } from "../model/workloads.ts";

/** What the page shows, as its address says. */
export type Route =
  | { readonly view: "cluster" }
  | { readonly view: "workloads" }
  | { readonly view: "workload"; readonly workload: WorkloadName }
  | { readonly view: "pod"; readonly namespace: string; readonly name: string }
  | { readonly view: "node"; readonly name: string }
  | { readonly view: "decisions" };

/** Reads the part of an address behind `#`; what is unknown shows the cluster. */
export function parseRoute(hash: string): Route {
  const [view = "", ...parts] = hash.replace(/^#\/?/, "").split("/").map(decoded);
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
      return { view: "decisions" };
    default:
      return { view: "cluster" };
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
