import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import type { StoreIndexes } from "../../store/store.ts";

// The names of the indexes: the field that is indexed.
export const nodeNameIndex = "spec.nodeName";
export const clusterIpIndex = "spec.clusterIP";
export const nodePortIndex = "spec.ports.nodePort";

const specOf = (object: JsonObject): JsonObject => (isJsonObject(object["spec"]) ? object["spec"] : {});
const texts = (value: unknown): readonly string[] =>
  typeof value === "string" && value !== "" ? [value] : none;
const none: readonly string[] = [];

/** The indexes that the API server adds to its store. */
export const storeIndexes: StoreIndexes = {
  pods: { [nodeNameIndex]: (pod) => texts(specOf(pod)["nodeName"]) },
  services: {
    [clusterIpIndex]: (service) => texts(specOf(service)["clusterIP"]),
    [nodePortIndex]: (service) => {
      const ports = specOf(service)["ports"];
      if (!Array.isArray(ports)) return none;
      return ports.flatMap((port: JsonObject) =>
        typeof port["nodePort"] === "number" ? [String(port["nodePort"])] : none,
      );
    },
  },
};
