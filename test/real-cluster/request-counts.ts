import type { RealCluster } from "./real-cluster.ts";

/** How many requests of each sort an API server has had, such as `PUT replicasets/status`. */
export type RequestCounts = ReadonlyMap<string, number>;

const labelsOf = (text: string) =>
  Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));

/** Counts the requests since the API server was started, watches left out: they are counted when they end. */
export async function requestCounts({ read }: RealCluster): Promise<RequestCounts> {
  const counts = new Map<string, number>();
  for (const [, text = "", count] of (await read("/metrics")).matchAll(
    /^apiserver_request_total\{(.*)\} (\S+)$/gm,
  )) {
    const { verb, resource, subresource } = labelsOf(text);
    if (resource === "" || verb === "WATCH") continue;
    const sort = `${verb} ${resource}${subresource === "" ? "" : `/${subresource}`}`;
    counts.set(sort, (counts.get(sort) ?? 0) + Number(count));
  }
  return counts;
}

/** The requests between two counts. */
export function requestsBetween(before: RequestCounts, after: RequestCounts): RequestCounts {
  return new Map([...after].map(([sort, count]) => [sort, count - (before.get(sort) ?? 0)]));
}
