import { isJsonObject } from "../../../src/api/json.ts";
import type { ClientCall } from "../../../src/machinery/client/intercept-client.ts";
import type { Process } from "../../../src/simulation/observation.ts";
import type { Invariant } from "./invariant.ts";

/** What an process means it means: never another object that happens to have the same name by now. */
export const uidRespected: Invariant = {
  name: "uid-respected",
  description: "a write that means one object never reaches another of its name",
  begin: () => {
    const meant = new WeakMap<ClientCall, string>();
    return {
      called({ by, call }) {
        const uid = statedUid(call) ?? seenUid(by, call);
        if (uid !== undefined) meant.set(call, uid);
        return undefined;
      },
      commit({ by, call, event, collection }) {
        // A call may also write to what belongs to its object.
        if (by === undefined || call === undefined || collection !== call.collection) return undefined;
        const uid = meant.get(call);
        const { key, object } = event.record;
        if (uid === undefined || uid === object.metadata.uid) return undefined;
        return `${by.component} meant ${uid} when it wanted to ${call.verb} ${collection} ${key}, and reached ${object.metadata.uid}`;
      },
    };
  },
};

/** The UID that a request names. */
function statedUid({ verb, body }: ClientCall): string | undefined {
  if (!isJsonObject(body)) return undefined;
  switch (verb) {
    case "update":
      return uidIn(body["metadata"]);
    case "patch":
      return isJsonObject(body["body"]) ? uidIn(body["body"]["metadata"]) : undefined;
    case "delete":
    case "evict":
      return uidIn(body["preconditions"]);
    case "bind":
      return uidIn(body);
    case "get":
    case "list":
    case "watch":
    case "create":
    case "deleteCollection":
      return undefined;
  }
}

function uidIn(value: unknown): string | undefined {
  const uid = isJsonObject(value) ? value["uid"] : undefined;
  return typeof uid === "string" ? uid : undefined;
}

/** A deletion by name means the object that the informer shows under it. */
function seenUid(
  { informers }: Process,
  { verb, collection, namespace, name }: ClientCall,
): string | undefined {
  if (verb !== "delete" || name === undefined) return undefined;
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  const informer = informers?.all().find(({ resource }) => resource.plural === collection.split(".")[0]);
  return informer?.get(key)?.metadata.uid;
}
