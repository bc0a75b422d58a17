import type { CustomResourceDefinition } from "../../src/api/generated/apiextensions-v1.ts";
import type { JsonObject } from "../../src/api/json.ts";
import type { Draft, StoredObject } from "../../src/api/object.ts";
import type { Resource } from "../../src/api/resource.ts";
import { customResourceDefinitions } from "../../src/api/resources.ts";
import { isAlreadyExists } from "../../src/machinery/client/api-error.ts";
import type { Client } from "../../src/machinery/client/client.ts";

/** An object of the custom kind that clients are tried with. */
export interface Widget extends StoredObject {
  readonly spec: { readonly size: number; readonly colour?: string };
  readonly status?: { readonly size?: number; readonly conditions?: readonly JsonObject[] };
}

export const widgets: Resource<Widget> = {
  group: "example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  namespaced: true,
};

const integer = { type: "integer" };
const conditions = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["type"],
  items: {
    type: "object",
    required: ["type", "status"],
    properties: {
      type: { type: "string" },
      status: { type: "string", enum: ["True", "False", "Unknown"] },
      reason: { type: "string" },
      message: { type: "string" },
      observedGeneration: integer,
      lastTransitionTime: { type: "string", format: "date-time" },
    },
  },
};

export const widgetDefinition: Draft<CustomResourceDefinition> = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget", shortNames: ["wd"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" },
        },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                required: ["size"],
                properties: {
                  size: { ...integer, maximum: 100, description: "How big it is." },
                  colour: { type: "string", default: "red" },
                },
              },
              status: { type: "object", properties: { size: integer, conditions } },
            },
          },
        },
      },
    ],
  },
};

/** Defines the kind, if no other test did, and waits until its objects are served. */
export async function defineWidgets(client: Client): Promise<void> {
  try {
    await client.create(customResourceDefinitions, widgetDefinition);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const enough = new AbortController();
  for await (const event of client.watch(customResourceDefinitions, {}, enough.signal)) {
    const conditions = event.type === "BOOKMARK" ? [] : (event.object.status?.conditions ?? []);
    if (conditions.some(({ type, status }) => type === "Established" && status === "True")) return;
  }
}

export const widget = (namespace: string, name: string, size: number): Draft<Widget> => ({
  metadata: { namespace, name },
  spec: { size },
});
