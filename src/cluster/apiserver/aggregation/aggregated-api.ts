import { compareText } from "../../../api/compare-text.ts";
import type { APIService, ServiceReference } from "../../../api/generated/apiregistration-v1.ts";
import type { Store } from "../../store/store.ts";
import type { ExtensionServer } from "./extension-transport.ts";

/** One version of an API group that an extension API server has. */
export interface AggregatedApi {
  /** The name of its APIService. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly server: ExtensionServer;
  readonly isAvailable: boolean;
  readonly groupPriority: number;
  readonly versionPriority: number;
}

/** The APIs of extension API servers that the APIServices of a store declare. */
export interface AggregatedApis {
  /** Returns a new list after every change. */
  all(): readonly AggregatedApi[];
  /** Returns the API of a group and version, in constant time; `undefined` when this server has it, or no server does. */
  find(group: string, version: string): AggregatedApi | undefined;
  close(): void;
}

/** The store's collection of APIServices. */
export const apiServicesCollection = "apiservices.apiregistration.k8s.io";

/**
 * Follows the APIServices of a store. Each event costs the same however many there are: a definition with thousands of
 * versions has an APIService for each.
 */
export function aggregatedApis(store: Store): AggregatedApis {
  const collection = store.collection(apiServicesCollection);
  const byName = new Map<string, AggregatedApi>();
  const byGroupVersion = new Map<string, AggregatedApi>();
  let all: readonly AggregatedApi[] | undefined;

  function forget(name: string): void {
    const former = byName.get(name);
    if (former === undefined) return;
    byName.delete(name);
    byGroupVersion.delete(pathOf(former));
    all = undefined;
  }

  function follow(name: string, object: object): void {
    forget(name);
    // The store holds only APIServices in their collection.
    const api = aggregatedApi(object as APIService);
    if (api === undefined) return;
    byName.set(name, api);
    byGroupVersion.set(pathOf(api), api);
    all = undefined;
  }

  for (const { key, object } of collection.records()) follow(key, object);
  const close = collection.subscribe({ of: "all" }, (events) => {
    for (const { type, record } of events) {
      if (type === "DELETED") forget(record.key);
      else follow(record.key, record.object);
    }
  });
  return {
    all: () => (all ??= [...byName.values()].toSorted((left, right) => compareText(left.name, right.name))),
    find: (group, version) => byGroupVersion.get(`${group}/${version}`),
    close,
  };
}

function pathOf({ group, version }: AggregatedApi): string {
  return `${group}/${version}`;
}

/** Returns the Service of an APIService, with the default port filled in. */
export function serviceNamed({
  namespace = "",
  name = "",
  port = 443,
}: ServiceReference): ExtensionServer["service"] {
  return { namespace, name, port };
}

/** Returns the API of an APIService that names a Service. The core group is always this server's own. */
function aggregatedApi({ metadata, spec, status }: APIService): AggregatedApi | undefined {
  const { service, group = "", version = "", caBundle, insecureSkipTLSVerify = false } = spec;
  if (service === undefined || group === "") return undefined;
  const isAvailable = status?.conditions?.some((each) => each.type === "Available" && each.status === "True");
  return {
    name: metadata.name,
    group,
    version,
    server: { service: serviceNamed(service), caBundle, insecureSkipTLSVerify },
    isAvailable: isAvailable === true,
    groupPriority: spec.groupPriorityMinimum,
    versionPriority: spec.versionPriority,
  };
}
