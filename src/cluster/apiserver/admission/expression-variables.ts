import { type CelType, bool, dyn, int, list, map, string, timestamp } from "../cel/types/cel-type.ts";
import {
  type Asked,
  authorizerType,
  authorizerValue,
  resourceCheckType,
  resourceCheckValue,
} from "../cel/library/authorizations.ts";
import type { CelValue } from "../cel/values/cel-value.ts";
import type { AdmissionAttributes } from "../webhooks/admission-request.ts";

// The variables of expressions that decide about requests: match conditions of webhooks, and admission policies.

function object(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  return { kind: "object", name: `kubernetes.${name}`, fields: new Map(Object.entries(fields)) };
}

const kind = object("GroupVersionKind", { group: string, version: string, kind: string });
const resource = object("GroupVersionResource", { group: string, version: string, resource: string });
const userInfo = object("UserInfo", {
  username: string,
  uid: string,
  groups: list(string),
  extra: map(string, list(string)),
});

const request = object("AdmissionRequest", {
  kind,
  resource,
  subResource: string,
  requestKind: kind,
  requestResource: resource,
  requestSubResource: string,
  name: string,
  namespace: string,
  operation: string,
  userInfo,
  dryRun: bool,
  options: dyn,
});

const namespaceMetadata = object("NamespaceMetadata", {
  name: string,
  generateName: string,
  namespace: string,
  labels: map(string, string),
  annotations: map(string, string),
  // upstream: the name differs from the one in objects, so expressions cannot read it.
  UID: string,
  creationTimestamp: timestamp,
  deletionGracePeriodSeconds: int,
  deletionTimestamp: timestamp,
  generation: int,
  resourceVersion: string,
  finalizers: list(string),
});

const namespaceCondition = object("NamespaceCondition", {
  status: string,
  type: string,
  lastTransitionTime: timestamp,
  message: string,
  reason: string,
});

const namespaceObject = object("Namespace", {
  metadata: namespaceMetadata,
  spec: object("NamespaceSpec", { finalizers: list(string) }),
  status: object("NamespaceStatus", { conditions: list(namespaceCondition), phase: string }),
});

/** The types of the variables that are always there. */
export const requestVariables: ReadonlyMap<string, CelType> = new Map([
  ["object", dyn],
  ["oldObject", dyn],
  ["namespaceObject", namespaceObject],
  ["request", request],
]);

/** The types of the variables that ask what the user of a request may do. */
export const authorizerVariables: ReadonlyMap<string, CelType> = new Map([
  ["authorizer", authorizerType],
  ["authorizer.requestResource", resourceCheckType],
]);

/** What decides whether a user may do something. */
export type Authorizing = Asked["authorizer"];

/** Returns the values of the variables that ask what the user of a request may do. */
export function authorizerValues(
  attributes: AdmissionAttributes,
  authorizer: Authorizing,
): ReadonlyMap<string, CelValue> {
  const { user, resource: asked, subresource, namespace, name } = attributes;
  const by = { user, authorizer };
  const wanted = {
    group: asked.group,
    resource: asked.plural,
    subresource: partOf(subresource),
    namespace: partOf(namespace),
    name: partOf(name),
  };
  return new Map([
    ["authorizer", authorizerValue(by)],
    ["authorizer.requestResource", resourceCheckValue(by, wanted)],
  ]);
}

function partOf(value: string): string | undefined {
  return value === "" ? undefined : value;
}
