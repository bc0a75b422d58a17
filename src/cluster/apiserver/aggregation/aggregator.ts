import { deepEqual } from "../../../api/deep-equal.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import type { Store } from "../../store/store.ts";
import type { ListedResource } from "../discovery/listed-resource.ts";
import { type AggregatedApi, type AggregatedApis, aggregatedApis } from "./aggregated-api.ts";
import { type ExtensionDocument, extensionOpenApi } from "./extension-openapi.ts";
import type { ExtensionReply, ExtensionRequest, ExtensionTransport } from "./extension-transport.ts";
import { type Probe, probeExtension } from "./probe-extension.ts";

/** A version of an API group as its extension API server listed it last. */
export interface DiscoveredVersion extends Pick<
  AggregatedApi,
  "group" | "version" | "groupPriority" | "versionPriority"
> {
  readonly resources: readonly ListedResource[];
  /** Whether the server does not answer at the moment. */
  readonly isStale: boolean;
}

/** The extension API servers behind an API server. */
export interface Aggregator extends Pick<AggregatedApis, "all" | "find"> {
  /** What discovery lists of them: another list after every change, the same one otherwise. */
  discovered(): readonly DiscoveredVersion[];
  /** Asks the server of an APIService for its resources, which discovery then lists; never rejects. */
  probe(api: AggregatedApi): Promise<Probe>;
  /** Asks the server of an APIService for its OpenAPI document, which is then among ours; never rejects. */
  readOpenApi(api: AggregatedApi): Promise<void>;
  /** The OpenAPI documents of extension API servers: another list after every change, the same one otherwise. */
  documents(): readonly ExtensionDocument[];
  /** Sends a request to the server of an APIService; never rejects. */
  send(api: AggregatedApi, request: ExtensionRequest): Promise<ExtensionReply>;
  close(): Promise<void>;
}

interface AggregatorOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly transport: ExtensionTransport;
}

/** What the last probes of an API found. */
interface Known {
  readonly resources: readonly ListedResource[];
  readonly isStale: boolean;
}

/** How long a server may take for its OpenAPI document and the index of it. */
const openApiTimeoutMs = 10_000;

const never: Known = { resources: [], isStale: true };

/** Creates the aggregator of a store's APIServices. */
export function createAggregator(options: AggregatorOptions): Aggregator {
  const { store, transport, clock } = options;
  const apis = aggregatedApis(store);
  const known = new Map<string, Known>();
  let listed: { readonly of: readonly AggregatedApi[]; readonly versions: readonly DiscoveredVersion[] } = {
    of: [],
    versions: [],
  };
  const documentOf = new Map<string, ExtensionDocument>();
  let documented: {
    readonly of: readonly AggregatedApi[];
    readonly documents: readonly ExtensionDocument[];
  } = {
    of: [],
    documents: [],
  };
  const versionOf = ({
    name,
    group,
    version,
    groupPriority,
    versionPriority,
    isAvailable,
  }: AggregatedApi) => {
    const { resources, isStale } = known.get(name) ?? never;
    return {
      group,
      version,
      groupPriority,
      versionPriority,
      resources,
      isStale: isStale || !isAvailable,
    };
  };
  return {
    all: () => apis.all(),
    find: (group, version) => apis.find(group, version),
    discovered() {
      const all = apis.all();
      if (listed.of === all) return listed.versions;
      const names = new Set(all.map(({ name }) => name));
      for (const name of known.keys()) if (!names.has(name)) known.delete(name);
      listed = { of: all, versions: all.map(versionOf) };
      return listed.versions;
    },
    async probe(api) {
      const result = await probeExtension(options, api);
      const before = known.get(api.name) ?? never;
      const now = { resources: result.ok ? result.resources : before.resources, isStale: !result.ok };
      if (deepEqual(now, known.get(api.name))) return result;
      known.set(api.name, now);
      listed = { of: [], versions: [] };
      return result;
    },
    async readOpenApi(api) {
      const deadline = new AbortController();
      const timer = clock.after(openApiTimeoutMs, () => deadline.abort());
      const before = documentOf.get(api.name);
      const { signal } = deadline;
      const document = await extensionOpenApi({ transport, clock, api, known: before, signal });
      timer.cancel();
      if (document === undefined || document === before) return;
      documentOf.set(api.name, document);
      documented = { of: [], documents: [] };
    },
    documents() {
      const all = apis.all();
      if (documented.of === all) return documented.documents;
      const names = new Set(all.map(({ name }) => name));
      for (const name of documentOf.keys()) if (!names.has(name)) documentOf.delete(name);
      const documents = all.flatMap(({ name }) => documentOf.get(name) ?? []);
      documented = { of: all, documents };
      return documents;
    },
    send: (api, request) => transport.send(api.server, request),
    async close() {
      apis.close();
      await transport.close?.();
    },
  };
}
