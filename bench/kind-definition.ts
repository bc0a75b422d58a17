import type { CustomResourceDefinition } from "../src/api/generated/apiextensions-v1.ts";
import type { JsonObject } from "../src/api/json.ts";
import type { Draft } from "../src/api/object.ts";

/** A kind of example.com/v1 whose objects have this spec, and a status subresource. */
export function definitionOf(kind: string, spec: JsonObject): Draft<CustomResourceDefinition> {
  const plural = `${kind.toLowerCase()}s`;
  const openAPIV3Schema = { type: "object", properties: { spec } };
  return {
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural, kind },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema },
        },
      ],
    },
  };
}
