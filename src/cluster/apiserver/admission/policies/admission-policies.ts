import type { ParamRef } from "../../../../api/generated/admissionregistration-v1.ts";
import { isJsonObject, type JsonObject } from "../../../../api/json.ts";
import type { Labels } from "../../../../api/labels/label-selector.ts";
import { runInSteps } from "../../../../machinery/clock/run-in-steps.ts";
import { metadataOf } from "../../registry/object-meta.ts";
import type { ServedResource } from "../../served-resource.ts";
import type { AdmissionAttributes, ReviewedObjects } from "../../webhooks/admission-request.ts";
import { conditionInput } from "../../webhooks/admission-review.ts";
import { inVersionOf } from "../../webhooks/ask-webhook.ts";
import type { IndexedRequest } from "../../webhooks/webhook-index.ts";
import type { PolicyCheck, PolicyOutcome } from "../../webhooks/webhook-review.ts";
import { evaluatePolicy, type PolicyFinding } from "./evaluate-policy.ts";
import { findParams, type FoundParams, paramKindText, paramResource } from "./find-params.ts";
import { isSelected, matchedResource, type ResourceMatcher } from "./match-resources.ts";
import { deniedByPolicy, type PolicyDenial } from "./policy-denial.ts";
import { namespaceValue, type PolicyInput } from "./policy-evaluation.ts";
import {
  type BoundPolicy,
  indexPolicies,
  type PolicyBinding,
  type PolicyDependencies,
} from "./policy-index.ts";

/** The ValidatingAdmissionPolicies of an API server. */
export interface AdmissionPolicies {
  /** Returns the check of a request, in constant time; `undefined` when the rules of no policy can match it. */
  checkOf(request: IndexedRequest): PolicyCheck | undefined;
  close(): void;
}

/** Creates the policies of a store. */
export function createAdmissionPolicies(dependencies: PolicyDependencies): AdmissionPolicies {
  const index = indexPolicies(dependencies);
  return {
    checkOf(request) {
      const policies = index.find(request);
      return (
        policies && ((attributes, objects) => check(dependencies, policies, { ...attributes, ...objects }))
      );
    },
    close: () => index.close(),
  };
}

type Reviewed = AdmissionAttributes & ReviewedObjects;

/** Evaluates all policies, also beyond the first denial, because their warnings are answered too. */
async function check(
  dependencies: PolicyDependencies,
  policies: readonly BoundPolicy[],
  request: Reviewed,
): Promise<PolicyOutcome> {
  const named = withName(request);
  const warnings: string[] = [];
  let first: PolicyDenial | undefined;
  for (const bound of policies) {
    const outcome = await checkPolicy(dependencies, bound, named);
    warnings.push(...outcome.warnings);
    first ??= outcome.denial;
  }
  return { warnings, denial: first && deniedByPolicy(named, first) };
}

/** A name that was generated is known only with the object. */
function withName(request: Reviewed): Reviewed {
  if (request.name !== "") return request;
  const { object = request.oldObject } = request;
  const metadata = object !== undefined && isJsonObject(object["metadata"]) ? metadataOf(object) : {};
  return { ...request, name: metadata.name ?? "" };
}

interface Outcome {
  readonly warnings: readonly string[];
  readonly denial?: PolicyDenial | undefined;
}

const passed: Outcome = { warnings: [] };

async function checkPolicy(
  dependencies: PolicyDependencies,
  bound: BoundPolicy,
  request: Reviewed,
): Promise<Outcome> {
  const resource = matching(dependencies, bound.matcher, request);
  if (resource === undefined) return passed;
  const { spec, metadata } = bound.policy;
  const { paramKind } = spec;
  const params = paramKind && paramResource(dependencies.resources, paramKind);
  if (paramKind !== undefined && params === undefined) {
    const why = `failed to find resource referenced by paramKind: '${paramKindText(paramKind)}'`;
    return misconfigured(bound, { policy: metadata.name, message: `failed to configure policy: ${why}` });
  }
  const warnings: string[] = [];
  let denial: PolicyDenial | undefined;
  for (const binding of bound.bindings) {
    const outcome = await checkBinding(dependencies, { bound, binding, resource, params }, request);
    warnings.push(...outcome.warnings);
    denial ??= outcome.denial;
  }
  return { warnings, denial };
}

/** The failure policy decides what happens when a policy or a binding cannot be evaluated. */
function misconfigured({ policy }: BoundPolicy, denial: PolicyDenial): Outcome {
  return policy.spec.failurePolicy === "Ignore" ? passed : { warnings: [], denial };
}

interface BindingSubject {
  readonly bound: BoundPolicy;
  readonly binding: PolicyBinding;
  /** The resource in whose version the rules of the policy match. */
  readonly resource: ServedResource;
  readonly params: ServedResource | undefined;
}

async function checkBinding(
  dependencies: PolicyDependencies,
  subject: BindingSubject,
  request: Reviewed,
): Promise<Outcome> {
  const { bound, resource, params } = subject;
  const { binding, matcher } = subject.binding;
  if (matching(dependencies, matcher, request) === undefined) return passed;
  const { paramRef } = binding.spec;
  const found = await paramsOf(dependencies, params, { ref: paramRef, namespace: request.namespace });
  const named = { policy: bound.policy.metadata.name, binding: binding.metadata.name };
  if (!found.ok)
    return misconfigured(bound, { ...named, message: `failed to configure binding: ${found.why}` });
  const reviewed = await inVersionOf({ resource }, { request, ...objectsOf(request) });
  const input = conditionInput(reviewed, { resource }, dependencies.authorizer);
  const namespaceObject = namespaceOf(dependencies, request);
  const compiled = await bound.compiled();
  const findings: PolicyFinding[] = [];
  for (const each of found.params) {
    const values: PolicyInput = { ...input, params: each, namespaceObject };
    const steps = evaluatePolicy(bound.policy.spec, compiled, values);
    findings.push(...(await runInSteps(steps, dependencies.clock)));
  }
  return acted(findings, subject, named);
}

function acted(
  findings: readonly PolicyFinding[],
  { binding: { binding } }: BindingSubject,
  { policy, binding: name }: { readonly policy: string; readonly binding: string },
): Outcome {
  const { validationActions: actions } = binding.spec;
  const prefix = `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${name}'`;
  const warned = findings.filter(({ isForced }) => actions.includes("Warn") && isForced !== true);
  const denied = findings.find(({ isForced }) => actions.includes("Deny") || isForced === true);
  return {
    warnings: warned.map(({ message }) => `${prefix}: ${message}`),
    denial: denied && { policy, binding: name, message: denied.message, reason: denied.reason },
  };
}

/** A binding without a reference, or to a policy without a kind of parameters, is evaluated once, without any. */
async function paramsOf(
  dependencies: PolicyDependencies,
  resource: ServedResource | undefined,
  { ref, namespace }: { readonly ref: ParamRef | undefined; readonly namespace: string },
): Promise<FoundParams> {
  if (resource === undefined || ref === undefined) return { ok: true, params: [null] };
  return findParams(dependencies, resource, { ref, namespace });
}

function matching(
  { store, resources }: PolicyDependencies,
  matcher: ResourceMatcher,
  request: Reviewed,
): ServedResource | undefined {
  const namespaceLabels = (name: string): Labels => {
    const record = store.collection("namespaces").get(name);
    return record === undefined ? undefined : metadataOf(record.object).labels;
  };
  if (!isSelected(matcher, request, namespaceLabels)) return undefined;
  return matchedResource(matcher, request, resources.sharing(request.resource.collection));
}

function objectsOf({ object, oldObject }: ReviewedObjects): ReviewedObjects {
  return { object, oldObject };
}

/** Returns the namespace of a request; none for cluster-scoped objects, also for a Namespace itself. */
function namespaceOf({ store }: PolicyDependencies, { resource, namespace }: Reviewed): JsonObject | null {
  if (!resource.namespaced) return null;
  return namespaceValue(store.collection("namespaces").get(namespace)?.object);
}
