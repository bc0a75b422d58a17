import { createHash } from "node:crypto";
import type { UserInfo } from "../../api/generated/authentication-v1.ts";
import { messageOf } from "../../api/message-of.ts";
import { subjectAccessReviews, tokenReviews } from "../../api/resources.ts";
import type { Client } from "../client/client.ts";
import { Deadline } from "../client/http/deadline.ts";
import type { Clock } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import { ReviewCache } from "./review-cache.ts";

/** A request that the API server authorizes. */
export interface AccessRequest {
  /** The Authorization header. */
  readonly authorization: string | undefined;
  /** As in a rule of RBAC: `get`. */
  readonly verb: string;
  readonly path: string;
}

export type DelegatedDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly code: 401 | 403 | 503; readonly message: string };

export type DelegatedAuthorizer = (request: AccessRequest) => Promise<DelegatedDecision>;

export interface DelegatedAuthorizerOptions {
  readonly client: Pick<Client, "create">;
  readonly clock: Clock;
  readonly log: Logger;
}

// upstream: DelegatingAuthenticationOptions and DelegatingAuthorizationOptions use the same times
const limits = { ttlMs: 10_000, maxEntries: 1000, maxInFlight: 20 };
const timeoutMs = 10_000;

/**
 * Lets the API server decide who may read a path: a TokenReview says who the user is, a SubjectAccessReview what the
 * user may do. Refuses everyone while the API server does not answer.
 */
export function delegatedAuthorizer({ client, clock, log }: DelegatedAuthorizerOptions): DelegatedAuthorizer {
  const users = new ReviewCache<UserInfo | undefined>({ clock, ...limits });
  const accesses = new ReviewCache<boolean>({ clock, ...limits });
  const reviewer = { client, clock };

  return async ({ authorization, verb, path }) => {
    const [, token] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
    if (token === undefined) return unauthorized;
    try {
      const user = await users.get(digestOf(token), () => reviewToken(reviewer, token));
      if (user === undefined) return unauthorized;
      const asked: Access = { user, verb, path };
      const allowed = await accesses.get(JSON.stringify(asked), () => reviewAccess(reviewer, asked));
      return allowed ? { allowed } : forbidden(asked);
    } catch (error) {
      // A boundary: whatever failed, the request is refused.
      log.warn("access review failed", { path, reason: messageOf(error).replaceAll(token, "TOKEN") });
      return unavailable;
    }
  };
}

const unauthorized = { allowed: false, code: 401, message: "Unauthorized" } as const;
const unavailable = {
  allowed: false,
  code: 503,
  message: "the API server does not answer whether this request is allowed",
} as const;

interface Access {
  readonly user: UserInfo;
  readonly verb: string;
  readonly path: string;
}

function forbidden({ user, verb, path }: Access): DelegatedDecision {
  const name = JSON.stringify(user.username ?? "");
  return { allowed: false, code: 403, message: `forbidden: User ${name} cannot ${verb} path "${path}"` };
}

type Reviewer = Pick<DelegatedAuthorizerOptions, "client" | "clock">;

/** The user of a token; `undefined`: the token is not valid. */
function reviewToken({ client, clock }: Reviewer, token: string): Promise<UserInfo | undefined> {
  return inTime(clock, async (signal) => {
    const draft = { metadata: {}, spec: { token } };
    const { status } = await client.create(tokenReviews, draft, { signal });
    return status?.authenticated === true ? (status.user ?? {}) : undefined;
  });
}

function reviewAccess({ client, clock }: Reviewer, { user, verb, path }: Access): Promise<boolean> {
  const { username, ...others } = user;
  return inTime(clock, async (signal) => {
    const spec = { ...others, user: username ?? "", nonResourceAttributes: { path, verb } };
    const { status } = await client.create(subjectAccessReviews, { metadata: {}, spec }, { signal });
    return status?.allowed === true && status.denied !== true;
  });
}

async function inTime<T>(clock: Clock, review: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new Deadline({ clock, timeoutMs, missed: "no review" });
  try {
    return await review(deadline.signal);
  } finally {
    deadline.release();
  }
}

/** Hashes a token, so that no token is kept in memory. */
function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}
