import type { FeatureGates, FeatureGate } from "../../../api/feature-gates.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import { runInSteps } from "../../../machinery/clock/run-in-steps.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { ExtensionDocument } from "../aggregation/extension-openapi.ts";
import { contentHash } from "../discovery/content-hash.ts";
import { type GroupVersion, groupVersionsOf } from "../discovery/listed-resource.ts";
import { RecentlyUsed } from "../recently-used.ts";
import { renderDocument } from "./document.ts";
import type { DocumentedResource } from "./paths.ts";
import { encodedSwaggerSteps, swaggerTextSteps } from "./swagger-steps.ts";
import type { HiddenFields } from "./type-schema.ts";

/** A document ready to be sent. */
export interface OpenApiDocument {
  readonly body: string;
  /** A hash of the content, which is part of its URL in the index. */
  readonly hash: string;
}

/** The document of everything, which may be large. */
export interface SwaggerDocument extends Pick<OpenApiDocument, "hash"> {
  /** The bytes of its text. */
  readonly body: Uint8Array;
}

/** The OpenAPI documents of the server; their fields depend on the gates. Those of all groups are made in steps. */
export interface OpenApi {
  /** Returns the answer to `/openapi/v3`: the URLs of the documents. */
  index(gates: FeatureGates): Promise<OpenApiDocument>;
  /** Returns the answer to `/openapi/v2`: one document of everything, in Swagger 2.0. */
  swagger(gates: FeatureGates): Promise<SwaggerDocument>;
  /** Returns the Swagger document in the protobuf form that kubectl asks for. */
  swaggerProtobuf(gates: FeatureGates): Promise<Uint8Array>;
  /** Returns the document of `api/v1`, `apis/apps/v1`, …; `undefined` for anything else. */
  document(path: string, gates: FeatureGates): OpenApiDocument | undefined;
}

/** What is documented. */
export interface OpenApiSources {
  /** The resources of this server; a new list after every change. */
  readonly resources: () => readonly DocumentedResource[];
  /** The documents of extension API servers; a new list after every change. */
  readonly extensions?: () => readonly ExtensionDocument[];
  readonly clock: Clock;
}

const noExtensions = (): readonly ExtensionDocument[] => [];

type DocumentedGroup = GroupVersion<DocumentedResource>;

/** How many documents are kept at least: one definition may have thousands of versions, with a document for each. */
const keptDocuments = 200;

/**
 * Creates the OpenAPI documents of resources that may change (a new list after every change). Each document is rendered
 * on first use, once per set of fields, and again only when its own resources have changed or it was not used for long.
 */
export function createOpenApi({ resources, extensions = noExtensions, clock }: OpenApiSources): OpenApi {
  let served: readonly DocumentedResource[] = [];
  let extended: readonly ExtensionDocument[] = [];
  let groupVersions: ReadonlyMap<string, DocumentedGroup> = new Map();
  const recent = new RecentlyUsed<{ readonly of: DocumentedGroup; readonly document: OpenApiDocument }>(
    keptDocuments,
  );
  const hashes = new WeakMap<DocumentedGroup, Map<string, string>>();
  const indexes = new Map<string, Promise<OpenApiDocument>>();
  const swaggers = new Map<string, Promise<SwaggerDocument>>();
  const encodings = new Map<string, Promise<Uint8Array>>();

  /** Returns the groups as they are served now; one that did not change is the same object as before. */
  function latest(): ReadonlyMap<string, DocumentedGroup> {
    if (served === resources() && extended === extensions()) return groupVersions;
    served = resources();
    extended = extensions();
    const before = groupVersions;
    groupVersions = new Map(
      groupVersionsOf(served).map((each) => {
        const path = pathOf(each);
        const former = before.get(path);
        return [path, former !== undefined && hasSameResources(former, each) ? former : each];
      }),
    );
    indexes.clear();
    swaggers.clear();
    encodings.clear();
    return groupVersions;
  }

  function render(group: DocumentedGroup, hidden: HiddenFields): OpenApiDocument {
    const key = `${pathOf(group)} ${keyOf(hidden)}`;
    const known = recent.get(key);
    if (known?.of === group) return known.document;
    const document = seal(JSON.stringify(renderDocument(group, hidden)));
    recent.set(key, { of: group, document });
    const ofGroup = hashes.get(group) ?? new Map<string, string>();
    hashes.set(group, ofGroup.set(keyOf(hidden), document.hash));
    return document;
  }

  function* indexSteps(hidden: HiddenFields): Generator<void, OpenApiDocument, void> {
    const paths: [string, object][] = [];
    for (const [path, group] of groupVersions) {
      const hash = hashes.get(group)?.get(keyOf(hidden)) ?? render(group, hidden).hash;
      paths.push([path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }]);
      yield;
    }
    for (const each of extended)
      paths.push([pathOf(each), { serverRelativeURL: `/openapi/v3/${pathOf(each)}?hash=${each.hash}` }]);
    return seal(JSON.stringify({ paths: Object.fromEntries(paths) as object }));
  }

  /** Makes what is not known of the present resources; requests that come meanwhile wait for the same. */
  function shared<T>(
    made: Map<string, Promise<T>>,
    key: string,
    steps: Generator<void, T, void>,
  ): Promise<T> {
    const making = made.get(key) ?? runInSteps(steps, clock);
    made.set(key, making);
    making.catch(() => made.delete(key));
    return making;
  }

  function* documents(hidden: HiddenFields) {
    for (const group of groupVersions.values()) yield renderDocument(group, hidden);
    // Types that both have are ours: the first of a name counts.
    for (const { body } of extended) yield JSON.parse(body) as JsonObject;
  }

  return {
    document(path, gates) {
      const group = latest().get(path);
      const extension = extended.find((each) => pathOf(each) === path);
      if (extension !== undefined) return extension;
      return group && render(group, hiddenFields(gates));
    },
    index(gates) {
      latest();
      const hidden = hiddenFields(gates);
      return shared(indexes, keyOf(hidden), indexSteps(hidden));
    },
    swagger(gates) {
      latest();
      const hidden = hiddenFields(gates);
      return shared(swaggers, keyOf(hidden), swaggerTextSteps(documents(hidden)));
    },
    swaggerProtobuf(gates) {
      latest();
      const hidden = hiddenFields(gates);
      return shared(encodings, keyOf(hidden), encodedSwaggerSteps(documents(hidden)));
    },
  };
}

function hasSameResources({ resources }: DocumentedGroup, other: DocumentedGroup): boolean {
  return (
    resources.length === other.resources.length &&
    resources.every((resource, index) => resource === other.resources[index])
  );
}

function seal(body: string): OpenApiDocument {
  return { body, hash: contentHash(body) };
}

function keyOf(hidden: HiddenFields): string {
  return [...hidden].join(" ");
}

function pathOf({ group, version }: Pick<GroupVersion, "group" | "version">): string {
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
