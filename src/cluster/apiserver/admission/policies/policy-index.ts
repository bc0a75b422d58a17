import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "../../../../api/generated/admissionregistration-v1.ts";
import { compareText } from "../../../../api/compare-text.ts";
import type { Clock } from "../../../../machinery/clock/clock.ts";
import { runInSteps } from "../../../../machinery/clock/run-in-steps.ts";
import type { Collection, Store } from "../../../store/store.ts";
import type { ServedResources } from "../../kind-registry.ts";
import type { ServedResource } from "../../served-resource.ts";
import type { Authorizing } from "../expression-variables.ts";
import type { IndexedRequest } from "../../webhooks/webhook-index.ts";
import { type CompiledPolicy, compilePolicy } from "./compile-policy.ts";
import { mayMatch, type ResourceMatcher, resourceMatcher } from "./match-resources.ts";

/** The dependencies of admission policies. */
export interface PolicyDependencies {
  readonly store: Store;
  readonly resources: ServedResources;
  readonly clock: Clock;
  readonly authorizer: Authorizing;
}

/** A policy with the bindings that refer to it. */
export interface BoundPolicy {
  readonly policy: ValidatingAdmissionPolicy;
  readonly matcher: ResourceMatcher;
  readonly bindings: readonly PolicyBinding[];
  /** Its expressions; compiled, in steps, when they are first asked for. */
  readonly compiled: () => Promise<CompiledPolicy>;
}

export interface PolicyBinding {
  readonly binding: ValidatingAdmissionPolicyBinding;
  readonly matcher: ResourceMatcher;
}

/** The stored policies by resource, subresource and operation. */
export interface PolicyIndex {
  /** Returns the policies whose rules may match, ordered by name, in constant time; `undefined` when there are none. */
  find(request: IndexedRequest): readonly BoundPolicy[] | undefined;
  close(): void;
}

/** Resources that no policy may refuse: reviews, and the objects that configure admission. */
const exemptGroups = new Set([
  "admissionregistration.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
]);

/** Indexes the policies and bindings of a store, and keeps the index up to date. */
export function indexPolicies({
  store,
  resources,
  clock,
}: Omit<PolicyDependencies, "authorizer">): PolicyIndex {
  const policies = store.collection("validatingadmissionpolicies.admissionregistration.k8s.io");
  const bindings = store.collection("validatingadmissionpolicybindings.admissionregistration.k8s.io");
  let all: readonly BoundPolicy[] = [];
  // Weak, because a handler may create a resource for one request.
  let found = new WeakMap<ServedResource, Map<string, readonly BoundPolicy[]>>();
  const read = () => {
    all = boundPolicies(policies, bindings, clock);
    found = new WeakMap();
  };
  read();
  const unsubscribe = [policies, bindings].map((collection) => collection.subscribe({ of: "all" }, read));
  return {
    find(request) {
      const { operation, resource, subresource } = request;
      if (all.length === 0 || exemptGroups.has(resource.group)) return undefined;
      let ofResource = found.get(resource);
      if (ofResource === undefined) found.set(resource, (ofResource = new Map()));
      const key = `${operation} ${subresource}`;
      let matching = ofResource.get(key);
      if (matching === undefined) {
        const equivalents = resources.sharing(resource.collection);
        matching = all.filter(({ matcher }) => mayMatch(matcher, request, equivalents));
        ofResource.set(key, matching);
      }
      return matching.length === 0 ? undefined : matching;
    },
    close: () => unsubscribe.forEach((stop) => stop()),
  };
}

/** Returns the policies that have bindings; the others have no effect. */
function boundPolicies(policies: Collection, bindings: Collection, clock: Clock): readonly BoundPolicy[] {
  const byPolicy = new Map<string, PolicyBinding[]>();
  // A collection holds only objects of its resource.
  for (const { object } of bindings.records()) {
    const binding = object as unknown as ValidatingAdmissionPolicyBinding;
    const { policyName, matchResources } = binding.spec;
    const bound = { binding, matcher: resourceMatcher(matchResources) };
    byPolicy.set(policyName, [...(byPolicy.get(policyName) ?? []), bound]);
  }
  return [...policies.records()].flatMap(({ object }) => {
    const policy = object as unknown as ValidatingAdmissionPolicy;
    const bound = byPolicy.get(policy.metadata.name);
    if (bound === undefined) return [];
    let compiled: Promise<CompiledPolicy> | undefined;
    return {
      policy,
      matcher: resourceMatcher(policy.spec.matchConstraints),
      bindings: bound.toSorted((a, b) => compareText(a.binding.metadata.name, b.binding.metadata.name)),
      compiled: () => (compiled ??= runInSteps(compilePolicy(policy.spec), clock)),
    };
  });
}
