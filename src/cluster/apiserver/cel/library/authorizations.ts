import { dns1123LabelProblems, dns1123SubdomainProblems } from "../../../../api/names.ts";
import type { RbacAuthorizer } from "../../auth/authorizer.ts";
import type { Access } from "../../auth/policy-rules.ts";
import { accountGroups, accountUserName, type User } from "../../auth/user.ts";
import { type CostRule, reading } from "../cost/cost-rule.ts";
import { exactly } from "../cost/cost-range.ts";
import { bool, type CelType, opaque, string } from "../types/cel-type.ts";
import { CelError, type CelValue, type Opaque } from "../values/cel-value.ts";
import { type CelFunction, instanceOf, method, type Parameter, text } from "./overload.ts";

const prefix = "kubernetes.authorization";

/** The type of the variable `authorizer`. */
export const authorizerType = opaque(`${prefix}.Authorizer`);
/** The type of the variable `authorizer.requestResource`. */
export const resourceCheckType = opaque(`${prefix}.ResourceCheck`);
const pathCheckType = opaque(`${prefix}.PathCheck`);
const groupCheckType = opaque(`${prefix}.GroupCheck`);
const decisionType = opaque(`${prefix}.Decision`);

/** Who is asked about, and what answers. */
export interface Asked {
  readonly user: User;
  readonly authorizer: Pick<RbacAuthorizer, "decide">;
}

/** What access to resources is asked about. */
type Wanted = Omit<Extract<Access, { readonly resource: string }>, "verb">;

/** A value that only has methods, and equals nothing but itself. */
abstract class Receiver implements Opaque {
  readonly kind = "opaque";
  readonly size = 1;
  abstract readonly typeName: string;

  equals(other: Opaque): boolean {
    return this === other;
  }
}

class Authorizer extends Receiver {
  readonly typeName = `${prefix}.Authorizer`;
  readonly asked: Asked;

  constructor(asked: Asked) {
    super();
    this.asked = asked;
  }
}

class PathCheck extends Receiver {
  readonly typeName = `${prefix}.PathCheck`;
  readonly asked: Asked;
  readonly path: string;

  constructor(asked: Asked, path: string) {
    super();
    this.asked = asked;
    this.path = path;
  }
}

class GroupCheck extends Receiver {
  readonly typeName = `${prefix}.GroupCheck`;
  readonly asked: Asked;
  readonly group: string;

  constructor(asked: Asked, group: string) {
    super();
    this.asked = asked;
    this.group = group;
  }
}

class ResourceCheck extends Receiver {
  readonly typeName = `${prefix}.ResourceCheck`;
  readonly asked: Asked;
  readonly wanted: Wanted;

  constructor(asked: Asked, wanted: Wanted) {
    super();
    this.asked = asked;
    this.wanted = wanted;
  }

  with(change: Partial<Wanted>): ResourceCheck {
    return new ResourceCheck(this.asked, { ...this.wanted, ...change });
  }
}

class Decision extends Receiver {
  readonly typeName = `${prefix}.Decision`;
  readonly allowed: boolean;
  readonly reason: string;

  constructor({ user, authorizer }: Asked, access: Access) {
    super();
    const { allowed, reason } = authorizer.decide(user, access);
    this.allowed = allowed;
    this.reason = reason;
  }
}

/** Returns the value of the variable `authorizer`. */
export function authorizerValue(asked: Asked): CelValue {
  return new Authorizer(asked);
}

/** Returns the value of the variable `authorizer.requestResource`: the check of what a request is for. */
export function resourceCheckValue(asked: Asked, wanted: Wanted): CelValue {
  return new ResourceCheck(asked, wanted);
}

/** Two checks are as much as one expression may cost. */
const checking: CostRule = { estimate: () => ({ cost: exactly(350_000) }), actual: () => 350_000 };

const authorizer = instanceOf(authorizerType, Authorizer);
const pathCheck = instanceOf(pathCheckType, PathCheck);
const groupCheck = instanceOf(groupCheckType, GroupCheck);
const resourceCheck = instanceOf(resourceCheckType, ResourceCheck);
const decision = instanceOf(decisionType, Decision);

function accountChecks({ asked }: Authorizer, namespace: string, name: string): CelValue {
  if (dns1123SubdomainProblems(name).length > 0) return new CelError("Invalid service account name");
  if (dns1123LabelProblems(namespace).length > 0) return new CelError("Invalid service account namespace");
  const userName = accountUserName(namespace, name);
  const user = { name: userName, groups: accountGroups(userName) ?? [] };
  return new Authorizer({ ...asked, user });
}

const isBlank = (value: string): boolean => value.trim() === "";
/** An empty part of an access is one that is not asked about. */
const partOf = (value: string): string | undefined => (value === "" ? undefined : value);

/** A function that says more about the access to a resource. */
function refining(name: string, part: "subresource" | "namespace" | "name"): CelFunction {
  const id = `resourcecheck_${name}`;
  const overload = method({ id, takes: [resourceCheck, text], gives: resourceCheckType }, (check, value) =>
    check.with({ [part]: partOf(value) }),
  );
  return { name, overloads: [overload] };
}

/** RBAC, which is all that decides here, does not look at selectors. */
function selecting(name: string): CelFunction {
  const id = `authorizer_${name.toLowerCase()}`;
  const signature = { id, takes: [resourceCheck, text] as const, gives: resourceCheckType, cost: reading(1) };
  return { name, overloads: [method(signature, (check) => check)] };
}

function readingDecision(name: string, gives: CelType, read: (of: Decision) => CelValue): CelFunction {
  const takes: [Parameter<Decision>] = [decision];
  return { name, overloads: [method({ id: `decision_${name}`, takes, gives }, read)] };
}

/** The library of authorization checks; only admission declares the variables that it works on. */
export const authorizationFunctions: readonly CelFunction[] = [
  {
    name: "path",
    overloads: [
      method({ id: "authorizer_path", takes: [authorizer, text], gives: pathCheckType }, ({ asked }, path) =>
        isBlank(path) ? new CelError("path must not be empty") : new PathCheck(asked, path),
      ),
    ],
  },
  {
    name: "group",
    overloads: [
      method(
        { id: "authorizer_group", takes: [authorizer, text], gives: groupCheckType },
        ({ asked }, group) => new GroupCheck(asked, group),
      ),
    ],
  },
  {
    name: "serviceAccount",
    overloads: [
      method(
        { id: "authorizer_serviceaccount", takes: [authorizer, text, text], gives: authorizerType },
        accountChecks,
      ),
    ],
  },
  {
    name: "resource",
    overloads: [
      method(
        { id: "groupcheck_resource", takes: [groupCheck, text], gives: resourceCheckType },
        ({ asked, group }, resource) =>
          isBlank(resource)
            ? new CelError("resource must not be empty")
            : new ResourceCheck(asked, { group, resource }),
      ),
    ],
  },
  refining("subresource", "subresource"),
  refining("namespace", "namespace"),
  refining("name", "name"),
  selecting("fieldSelector"),
  selecting("labelSelector"),
  {
    name: "check",
    overloads: [
      method(
        { id: "pathcheck_check", takes: [pathCheck, text], gives: decisionType, cost: checking },
        ({ asked, path }, verb) => new Decision(asked, { path, verb }),
      ),
      method(
        { id: "resourcecheck_check", takes: [resourceCheck, text], gives: decisionType, cost: checking },
        ({ asked, wanted }, verb) => new Decision(asked, { ...wanted, verb }),
      ),
    ],
  },
  readingDecision("allowed", bool, ({ allowed }) => allowed),
  readingDecision("reason", string, ({ reason }) => reason),
  // Roles are read from memory, which does not fail.
  readingDecision("errored", bool, () => false),
  readingDecision("error", string, () => ""),
];
