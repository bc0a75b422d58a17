import type { FeatureGates } from "../../../api/feature-gates.ts";
import type { JsonObject } from "../../../api/json.ts";
import { contentHash } from "../discovery/content-hash.ts";
import { type GroupVersion, groupVersionsOf } from "../discovery/listed-resource.ts";
import { renderDocument } from "./document.ts";
import type { DocumentedResource } from "./paths.ts";
import { hiddenFields } from "./gated-fields.ts";
import { encodeSwagger } from "./swagger-protobuf.ts";
import { swaggerOf } from "./swagger.ts";
import type { HiddenFields } from "./type-schema.ts";

/** A document ready to be sent. */
export interface OpenApiDocument {
  readonly body: string;
  /** Part of its URL in the index; changes with the content. */
  readonly hash: string;
}

/** The OpenAPI documents of the server; their fields depend on the gates. */
export interface OpenApi {
  /** The answer to `/openapi/v3`: where the documents are. */
  index(gates: FeatureGates): OpenApiDocument;
  /** The answer to `/openapi/v2`: one document of everything, in Swagger 2.0. */
  swagger(gates: FeatureGates): OpenApiDocument;
  /** The same in the protobuf form that kubectl asks for. */
  swaggerProtobuf(gates: FeatureGates): Uint8Array;
  /** The document of `api/v1`, `apis/apps/v1`, …, or `undefined` for anything else. */
  document(path: string, gates: FeatureGates): OpenApiDocument | undefined;
}

/** The OpenAPI documents of a fixed set of resources; each is rendered on first use, once per set of fields. */
export function createOpenApi(resources: readonly DocumentedResource[]): OpenApi {
  const groupVersions = new Map(groupVersionsOf(resources).map((each) => [pathOf(each), each]));
  const made = new Map<string, OpenApiDocument>();

  function once(
    name: string,
    gates: FeatureGates,
    render: (hidden: HiddenFields) => object,
  ): OpenApiDocument {
    const hidden = hiddenFields(gates);
    const key = [name, ...hidden].join(" ");
    const known = made.get(key) ?? seal(render(hidden));
    made.set(key, known);
    return known;
  }

  function document(path: string, gates: FeatureGates): OpenApiDocument | undefined {
    const groupVersion = groupVersions.get(path);
    return groupVersion && once(path, gates, (hidden) => renderDocument(groupVersion, hidden));
  }

  function index(gates: FeatureGates): OpenApiDocument {
    return once("index", gates, () => {
      const paths = [...groupVersions.keys()].map((path) => [
        path,
        { serverRelativeURL: `/openapi/v3/${path}?hash=${document(path, gates)?.hash ?? ""}` },
      ]);
      return { paths: Object.fromEntries(paths) as object };
    });
  }

  function swagger(gates: FeatureGates): OpenApiDocument {
    return once("swagger", gates, (hidden) =>
      swaggerOf([...groupVersions.values()].map((each) => renderDocument(each, hidden))),
    );
  }

  let encoded: { readonly hash: string; readonly bytes: Uint8Array } | undefined;
  function swaggerProtobuf(gates: FeatureGates): Uint8Array {
    const { body, hash } = swagger(gates);
    if (encoded?.hash !== hash) encoded = { hash, bytes: encodeSwagger(JSON.parse(body) as JsonObject) };
    return encoded.bytes;
  }

  return { document, index, swagger, swaggerProtobuf };
}

function seal(content: object): OpenApiDocument {
  const body = JSON.stringify(content);
  return { body, hash: contentHash(body) };
}

function pathOf({ group, version }: GroupVersion): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}
