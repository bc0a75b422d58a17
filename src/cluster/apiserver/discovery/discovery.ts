import { apiGroupDiscoveryList } from "./aggregated-discovery.ts";
import { contentHash } from "./content-hash.ts";
import { contentTypeOf, type DiscoveryFormat } from "./discovery-format.ts";
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "./legacy-discovery.ts";
import type { DiscoveredVersion } from "../aggregation/aggregator.ts";
import { type GroupVersion, groupVersionsOf, type ListedResource } from "./listed-resource.ts";
import { withAggregated } from "./with-aggregated.ts";

/** An encoded document; the response must carry `Vary: Accept`, and is 304 for a client that has this ETag. */
export interface DiscoveryDocument {
  readonly contentType: string;
  /** The ETag with its quotes. */
  readonly etag: string;
  readonly body: string;
}

/** The discovery documents of the server. */
export interface Discovery {
  /** Returns the document at a path (`/api`, `/apis/apps/v1`, …); `undefined` where discovery has none. */
  document(path: string, format: DiscoveryFormat): DiscoveryDocument | undefined;
  /** The paths that have a document. */
  readonly paths: readonly string[];
}

export interface DiscoveryOptions {
  /** Returns the listed resources: a new list after every change, the same one otherwise. */
  readonly resources: () => readonly ListedResource[];
  /** Returns what extension API servers have, likewise; absent: nothing. */
  readonly aggregated?: (() => readonly DiscoveredVersion[]) | undefined;
  /** `host:port` for clients that ask where to connect. */
  readonly serverAddress: string;
}

/** Creates discovery over resources that may change; each document is encoded at its first request after a change. */
export function createDiscovery(options: DiscoveryOptions): Discovery {
  const { resources, aggregated = () => nothing, serverAddress } = options;
  const groupVersions = () => withAggregated(groupVersionsOf(resources()), aggregated());
  let served = resources();
  let extensions = aggregated();
  let render = renderer(groupVersions(), serverAddress);
  const made = new Map<string, DiscoveryDocument>();
  const refresh = () => {
    if (served === resources() && extensions === aggregated()) return;
    served = resources();
    extensions = aggregated();
    render = renderer(groupVersions(), serverAddress);
    made.clear();
  };
  return {
    get paths() {
      return pathsOf(groupVersions());
    },
    document(path, wanted) {
      refresh();
      const form = path === "/api" || path === "/apis" ? wanted : "legacy";
      const key = `${path} ${form}`;
      const known = made.get(key);
      if (known !== undefined) return known;
      const content = render(path, form);
      if (content === undefined) return undefined;
      const body = `${JSON.stringify(content)}\n`;
      const document = { contentType: contentTypeOf(form), etag: `"${contentHash(body)}"`, body };
      made.set(key, document);
      return document;
    },
  };
}

const nothing: readonly DiscoveredVersion[] = [];

function renderer(all: readonly GroupVersion[], serverAddress: string) {
  const core = all.filter(({ group }) => group === "");
  const named = all.filter(({ group }) => group !== "");
  return (path: string, form: DiscoveryFormat): object | undefined => {
    if (path === "/api")
      return form === "legacy" ? apiVersions(serverAddress) : apiGroupDiscoveryList(core, form);
    if (path === "/apis") return form === "legacy" ? apiGroupList(named) : apiGroupDiscoveryList(named, form);
    const [root, group = "", version, ...rest] = path.split("/").slice(1);
    if (rest.length > 0) return undefined;
    if (root === "apis" && version === undefined) return apiGroup(named, group);
    const found = all.find((each) => prefixOf(each) === path);
    return found && apiResourceList(found);
  };
}

function pathsOf(all: readonly GroupVersion[]): readonly string[] {
  const groups = all.filter(({ group }) => group !== "").map(({ group }) => `/apis/${group}`);
  return [...new Set(["/api", "/apis", ...groups, ...all.map(prefixOf)])];
}

function prefixOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}
