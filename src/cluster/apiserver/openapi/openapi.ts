import type { FeatureGates, FeatureGate } from "../../../api/feature-gates.ts";
import type { JsonObject } from "../../../api/json.ts";
import { contentHash } from "../discovery/content-hash.ts";
import { type GroupVersion, groupVersionsOf } from "../discovery/listed-resource.ts";
import { renderDocument } from "./document.ts";
import type { DocumentedResource } from "./paths.ts";
import { encodeSwagger } from "./swagger-protobuf.ts";
import { swaggerOf } from "./swagger.ts";
import type { HiddenFields } from "./type-schema.ts";

/** A document ready to be sent. */
export interface OpenApiDocument {
  readonly body: string;
  /** A hash of the content, which is part of its URL in the index. */
  readonly hash: string;
}

/** The OpenAPI documents of the server; their fields depend on the gates. */
export interface OpenApi {
  /** Returns the answer to `/openapi/v3`: the URLs of the documents. */
  index(gates: FeatureGates): OpenApiDocument;
  /** Returns the answer to `/openapi/v2`: one document of everything, in Swagger 2.0. */
  swagger(gates: FeatureGates): OpenApiDocument;
  /** Returns the Swagger document in the protobuf form that kubectl asks for. */
  swaggerProtobuf(gates: FeatureGates): Uint8Array;
  /** Returns the document of `api/v1`, `apis/apps/v1`, …; `undefined` for anything else. */
  document(path: string, gates: FeatureGates): OpenApiDocument | undefined;
}

type DocumentedGroup = GroupVersion<DocumentedResource>;

/** The rendered documents of one group and version, or of all of them, by the fields that are hidden. */
type Rendered = Map<string, OpenApiDocument>;

/**
 * Creates the OpenAPI documents of resources that may change (a new list after every change). Each document is rendered
 * on first use, once per set of fields, and again only when its own resources have changed.
 */
export function createOpenApi(resources: () => readonly DocumentedResource[]): OpenApi {
  let served: readonly DocumentedResource[] = [];
  let groupVersions: ReadonlyMap<string, DocumentedGroup> = new Map();
  const rendered = new Map<string, Rendered>();
  const ofAll = ["index", "swagger"];

  function latest(): ReadonlyMap<string, DocumentedGroup> {
    if (served === resources()) return groupVersions;
    served = resources();
    const before = groupVersions;
    groupVersions = new Map(groupVersionsOf(served).map((each) => [pathOf(each), each]));
    for (const name of ofAll) rendered.delete(name);
    for (const [path, group] of before)
      if (!hasSameResources(group, groupVersions.get(path))) rendered.delete(path);
    return groupVersions;
  }

  function once(
    name: string,
    gates: FeatureGates,
    render: (hidden: HiddenFields) => object,
  ): OpenApiDocument {
    const hidden = hiddenFields(gates);
    const documents: Rendered = rendered.get(name) ?? new Map<string, OpenApiDocument>();
    const key = [...hidden].join(" ");
    const known = documents.get(key) ?? seal(render(hidden));
    rendered.set(name, documents.set(key, known));
    return known;
  }

  function document(path: string, gates: FeatureGates): OpenApiDocument | undefined {
    const groupVersion = latest().get(path);
    return groupVersion && once(path, gates, (hidden) => renderDocument(groupVersion, hidden));
  }

  function index(gates: FeatureGates): OpenApiDocument {
    const all = latest();
    return once("index", gates, () => {
      const paths = [...all.keys()].map((path) => [
        path,
        { serverRelativeURL: `/openapi/v3/${path}?hash=${document(path, gates)?.hash ?? ""}` },
      ]);
      return { paths: Object.fromEntries(paths) as object };
    });
  }

  function swagger(gates: FeatureGates): OpenApiDocument {
    const all = latest();
    return once("swagger", gates, (hidden) =>
      swaggerOf([...all.values()].map((each) => renderDocument(each, hidden))),
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

function hasSameResources({ resources }: DocumentedGroup, other: DocumentedGroup | undefined): boolean {
  return (
    resources.length === other?.resources.length &&
    resources.every((resource, index) => resource === other.resources[index])
  );
}

function seal(content: object): OpenApiDocument {
  const body = JSON.stringify(content);
  return { body, hash: contentHash(body) };
}

function pathOf({ group, version }: GroupVersion): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

/** The fields behind feature gates, as `type.field`. */
const gatedFields: readonly (readonly [FeatureGate, readonly string[]])[] = [
  [
    "DownscalePodPicker",
    ["apps.v1.DeploymentSpec.downscalePodPicker", "apps.v1.ReplicaSetSpec.downscalePodPicker"],
  ],
  ["DeploymentPodReplacementPolicy", ["apps.v1.DeploymentSpec.podReplacementPolicy"]],
  [
    "DeploymentReplicaSetTerminatingReplicas",
    ["apps.v1.DeploymentStatus.terminatingReplicas", "apps.v1.ReplicaSetStatus.terminatingReplicas"],
  ],
];

/** Returns the fields that are left out of the OpenAPI documents because their gate is off. */
function hiddenFields(gates: FeatureGates): HiddenFields {
  return new Set(gatedFields.flatMap(([gate, fields]) => (gates[gate] ? [] : fields)));
}
