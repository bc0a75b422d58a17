/** The collections whose objects the page may read, by the path of their API; none of them holds credentials. */
export const forwardedKinds: Readonly<Record<string, Collections>> = {
  "/api/v1": {
    cluster: ["namespaces", "nodes", "persistentvolumes"],
    namespaced: ["events", "persistentvolumeclaims", "pods", "replicationcontrollers", "services"],
  },
  "/apis/apps/v1": {
    cluster: [],
    namespaced: ["controllerrevisions", "daemonsets", "deployments", "replicasets", "statefulsets"],
  },
  "/apis/autoscaling/v2": { cluster: [], namespaced: ["horizontalpodautoscalers"] },
  "/apis/batch/v1": { cluster: [], namespaced: ["cronjobs", "jobs"] },
  "/apis/policy/v1": { cluster: [], namespaced: ["poddisruptionbudgets"] },
  "/apis/scheduling.k8s.io/v1": { cluster: ["priorityclasses"], namespaced: [] },
  "/apis/storage.k8s.io/v1": { cluster: ["storageclasses"], namespaced: [] },
};

interface Collections {
  readonly cluster: readonly string[];
  readonly namespaced: readonly string[];
}

/** What the segments behind the path of an API may be. */
export type ForwardedPath =
  | { readonly of: "collection"; readonly path: string }
  | { readonly of: "object"; readonly path: string }
  /** What the containers of a Pod wrote. */
  | { readonly of: "log"; readonly path: string };

/** Matches names that URL decoding does not change; no others are forwarded. */
const plainName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;
const longestName = 253;

const isName = (text: string | undefined): text is string =>
  text !== undefined && text.length <= longestName && plainName.test(text);

/** The path of a collection or an object that the page may read, letter by letter; `undefined` for every other path. */
export function forwardedPath(path: string): ForwardedPath | undefined {
  for (const [root, collections] of Object.entries(forwardedKinds)) {
    if (path.startsWith(`${root}/`))
      return pathBelow(root, path.slice(root.length + 1).split("/"), collections);
  }
  return undefined;
}

function pathBelow(
  root: string,
  segments: readonly string[],
  { cluster, namespaced }: Collections,
): ForwardedPath | undefined {
  const [first = "", second, third] = segments;
  if (first === "namespaces" && third !== undefined) {
    const isAllowed = isName(second) && namespaced.includes(third);
    return isAllowed ? addressed(root, segments, segments.slice(3)) : undefined;
  }
  // Objects in a namespace are reached through it; all of a kind are listed without.
  if (namespaced.includes(first) && second === undefined) return addressed(root, segments, []);
  return cluster.includes(first) ? addressed(root, segments, segments.slice(1)) : undefined;
}

function addressed(
  root: string,
  segments: readonly string[],
  names: readonly string[],
): ForwardedPath | undefined {
  const path = `${root}/${segments.join("/")}`;
  if (names.length === 0) return { of: "collection", path };
  if (root === "/api/v1" && segments[2] === "pods" && names.length === 2 && names[1] === "log")
    return isName(names[0]) ? { of: "log", path } : undefined;
  return names.length === 1 && isName(names[0]) ? { of: "object", path } : undefined;
}
