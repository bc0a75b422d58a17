import type { CertificateSigningRequest } from "../../../../api/generated/certificates-v1.ts";
import { fillAbsent, withMember } from "../../../../api/defaulting.ts";
import type { Sent } from "../../../../api/sent.ts";
import { pathSegmentProblems } from "../../../../api/names.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import {
  isDecision,
  validateConditions,
  validateIssued,
  validateKeptConditions,
  withTimes,
} from "./conditions.ts";
import { validateRequestSpec } from "./validate-request.ts";

type Request = Sent<CertificateSigningRequest>;

/** The strategy of CertificateSigningRequests: what was asked for stays, and the status is written through subresources. */
export const certificateSigningRequestStrategy: KindStrategy<Request> = {
  nameProblems: pathSegmentProblems,
  defaults: (object) => fillAbsent(object, { spec: {} }),
  prepareForCreate(object, { requester }) {
    const { request, signerName, expirationSeconds, usages } = object.spec ?? {};
    const asked = { request, signerName, expirationSeconds, usages };
    const asker = requester && {
      username: requester.name,
      uid: requester.uid,
      groups: requester.groups,
      extra: requester.extra,
    };
    const spec = Object.fromEntries(
      Object.entries({ ...asked, ...asker }).filter(([, value]) => value !== undefined),
    );
    return withMember({ ...object, spec }, "status", undefined);
  },
  prepareForUpdate: ({ next, previous }) => withMember(next, "spec", previous.spec),
  prepareForStatusUpdate({ next, previous }, { now }) {
    const decisions = previous.status?.conditions?.filter(isDecision) ?? [];
    const others = next.status?.conditions?.filter((condition) => !isDecision(condition)) ?? [];
    const conditions = withTimes([...decisions, ...others], previous.status?.conditions, now);
    return {
      ...previous,
      metadata: next.metadata ?? {},
      status: withMember(next.status ?? {}, "conditions", conditions),
    };
  },
  validate: ({ spec = {} }, _, stored) => (stored === undefined ? validateRequestSpec(spec) : []),
  validateStatusUpdate: (change) => [
    ...validateConditions(change.next),
    ...validateKeptConditions(change),
    ...validateIssued(change),
  ],
  selectableFields: ({ spec }) => ({ "spec.signerName": spec?.signerName ?? "" }),
  unconditionalUpdate: true,
};

/** The strategy of `certificatesigningrequests/approval`: the conditions may change, and nothing else of the status. */
export const approvalStrategy: KindStrategy<Request> = {
  ...certificateSigningRequestStrategy,
  // The status that was sent arrives here.
  ordinaryStatus: true,
  prepareForUpdate({ next, previous }, { now }) {
    const conditions = withTimes(next.status?.conditions, previous.status?.conditions, now);
    return {
      ...next,
      spec: previous.spec ?? {},
      status: withMember(previous.status ?? {}, "conditions", conditions),
    };
  },
  validateUpdate: (change) => [...validateConditions(change.next), ...validateKeptConditions(change)],
};
