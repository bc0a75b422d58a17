import type { ServiceAccount } from "../../../api/generated/core-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { StoredObject } from "../../../api/object.ts";
import type { Instant } from "../../../api/time.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import type { Store } from "../../store/store.ts";
import type { TokenSigner } from "./token-signer.ts";
import { accountGroups, accountUserName, authenticatedGroup, type User } from "./user.ts";

/** The issuer of tokens, and their audience unless another is asked for; clusters may have one of their own. */
export const apiAudience = "https://kubernetes.default.svc.cluster.local";

/** A Pod, Secret or Node that a token is bound to. */
export interface BoundObject {
  readonly kind: "Pod" | "Secret" | "Node";
  readonly name: string;
  /** Absent for a Pod's node that does not exist. */
  readonly uid?: string;
}

/** The claims of a token. */
export interface TokenGrant {
  readonly account: ServiceAccount;
  readonly audiences: readonly string[];
  readonly expiresAt: Instant;
  /** The token becomes invalid with the first of them; a Pod is followed by its node. */
  readonly bound: readonly BoundObject[];
  /** Identifies the token. */
  readonly id: string;
}

/** A user who was identified by a token, and the requested audiences that the token has. */
export interface TokenIdentity {
  readonly user: User;
  readonly audiences: readonly string[];
}

/** Issues tokens of service accounts, and identifies their users. */
export interface ServiceAccountTokens {
  /** Who issues the tokens; also their audience unless another is asked for. */
  readonly issuer: string;
  issue(grant: TokenGrant): string;
  /**
   * Returns `undefined` for a token that is unknown, has expired, is for others, or whose account or object is gone.
   */
  recognize(token: string, audiences: readonly string[]): TokenIdentity | undefined;
  publicKey(): object;
}

interface TokenOptions {
  readonly signer: TokenSigner;
  /** Absent: `apiAudience`. */
  readonly issuer?: string | undefined;
  readonly clock: Clock;
  readonly store: Store;
}

const collections: Readonly<Record<BoundObject["kind"], string>> = {
  Pod: "pods",
  Secret: "secrets",
  Node: "nodes",
};

/** Creates the issuer of a cluster. */
export function createServiceAccountTokens(options: TokenOptions): ServiceAccountTokens {
  const { signer, issuer = apiAudience, clock, store } = options;
  return {
    issuer,
    issue: (grant) => signer.sign(claimsOf(grant, { issuer, now: clock.now() })),
    recognize(token, audiences) {
      const claims = signer.read(token) as Partial<Claims> | undefined;
      if (claims === undefined || claims.iss !== issuer) return undefined;
      const meant = new Set(claims.aud);
      const matching = audiences.filter((audience) => meant.has(audience));
      const isDue = seconds(clock.now()) < (claims.exp ?? 0);
      const subject = claims["kubernetes.io"];
      if (matching.length === 0 || !isDue || subject === undefined || !isThere(store, subject))
        return undefined;
      return { user: userOf(subject, claims.jti ?? ""), audiences: matching };
    },
    publicKey: () => signer.publicKey(),
  };
}

interface Subject {
  readonly namespace: string;
  readonly serviceaccount: { readonly name: string; readonly uid: string };
  readonly pod?: Omit<BoundObject, "kind">;
  readonly secret?: Omit<BoundObject, "kind">;
  readonly node?: Omit<BoundObject, "kind">;
}

interface Claims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly iss: string;
  readonly jti: string;
  readonly nbf: number;
  readonly sub: string;
  readonly "kubernetes.io": Subject;
}

const seconds = (instant: Instant) => Math.floor(instant / 1000);

interface Issue {
  readonly issuer: string;
  readonly now: Instant;
}

function claimsOf(
  { account, audiences, expiresAt, bound, id }: TokenGrant,
  { issuer, now }: Issue,
): JsonObject {
  const { namespace = "", name, uid } = account.metadata;
  const claims: Claims = {
    aud: audiences,
    exp: seconds(expiresAt),
    iat: seconds(now),
    iss: issuer,
    jti: id,
    "kubernetes.io": {
      namespace,
      serviceaccount: { name, uid },
      ...Object.fromEntries(bound.map(({ kind, ...object }) => [kind.toLowerCase(), object])),
    },
    nbf: seconds(now),
    sub: accountUserName(namespace, name),
  };
  return claims as unknown as JsonObject;
}

/** Reports whether the account of a token, and the objects it is bound to, are still the same. */
function isThere(store: Store, { namespace, serviceaccount, pod, secret, node }: Subject): boolean {
  const isSame = (collection: string, key: string, uid: string | undefined) =>
    (store.collection(collection).get(key)?.object as StoredObject | undefined)?.metadata.uid === uid;
  return (
    isSame("serviceaccounts", `${namespace}/${serviceaccount.name}`, serviceaccount.uid) &&
    (pod === undefined || isSame(collections.Pod, `${namespace}/${pod.name}`, pod.uid)) &&
    (secret === undefined || isSame(collections.Secret, `${namespace}/${secret.name}`, secret.uid)) &&
    // The node of a Pod is informative only.
    (node === undefined || pod !== undefined || isSame(collections.Node, node.name, node.uid))
  );
}

function userOf({ namespace, serviceaccount, pod, node }: Subject, id: string): User {
  const name = accountUserName(namespace, serviceaccount.name);
  const extra = {
    "authentication.kubernetes.io/credential-id": [`JTI=${id}`],
    ...named("pod", pod),
    ...named("node", node),
  };
  return {
    name,
    uid: serviceaccount.uid,
    groups: [...(accountGroups(name) ?? []), authenticatedGroup],
    extra,
  };
}

function named(kind: string, object: Omit<BoundObject, "kind"> | undefined) {
  if (object === undefined) return {};
  return {
    [`authentication.kubernetes.io/${kind}-name`]: [object.name],
    ...(object.uid !== undefined && { [`authentication.kubernetes.io/${kind}-uid`]: [object.uid] }),
  };
}
