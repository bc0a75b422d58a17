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

/** Follows the APIServices of a store. */
export function aggregatedApis(store: Store): AggregatedApis {
  const collection = store.collection(apiServicesCollection);
  let all: readonly AggregatedApi[] = [];
  let byGroupVersion: ReadonlyMap<string, AggregatedApi> = new Map();
  const read = () => {
    all = [...collection.records()].flatMap(({ object }) => aggregatedApi(object as unknown as APIService));
    byGroupVersion = new Map(all.map((api) => [`${api.group}/${api.version}`, api]));
  };
  read();
  const close = collection.subscribe({ of: "all" }, read);
  return {
    all: () => all,
    find: (group, version) => byGroupVersion.get(`${group}/${version}`),
    close,
  };
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
function aggregatedApi({ metadata, spec, status }: APIService): readonly AggregatedApi[] {
  const { service, group = "", version = "", caBundle, insecureSkipTLSVerify = false } = spec;
  if (service === undefined || group === "") return [];
  const isAvailable = status?.conditions?.some((each) => each.type === "Available" && each.status === "True");
  return [
    {
      name: metadata.name,
      group,
      version,
      server: { service: serviceNamed(service), caBundle, insecureSkipTLSVerify },
      isAvailable: isAvailable === true,
      groupPriority: spec.groupPriorityMinimum,
      versionPriority: spec.versionPriority,
    },
  ];
}
