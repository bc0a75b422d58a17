import type { CertificateSigningRequest } from "../../../api/generated/certificates-v1.ts";
import { deepEqual } from "../../../api/deep-equal.ts";
import type { Sent } from "../../../api/sent.ts";
import type { ObjectUpdate } from "../kinds/kind-strategy.ts";
import { metadataOf } from "../registry/object-meta.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ServerContext } from "../server-context.ts";
import { forbiddenRequest } from "../status-errors.ts";

const group = "certificates.k8s.io";

/**
 * Throws 403 when a user approves or denies a CertificateSigningRequest, or issues its certificate, and may not do so for its
 * signer: for `example.com/signer` or all of `example.com/*`.
 */
export function checkSignerAccess(context: ServerContext, request: ApiRequest, change: ObjectUpdate): void {
  const { resource, user } = request;
  if (resource.group !== group) return;
  const verb = verbFor(request, change);
  if (verb === undefined) return;
  const { signerName = "" } = (change.previous as Sent<CertificateSigningRequest>).spec ?? {};
  const names = [signerName, `${signerName.split("/", 1)[0] ?? ""}/*`];
  if (
    names.some((name) => context.authorizer.decide(user, { verb, group, resource: "signers", name }).allowed)
  )
    return;
  throw forbiddenRequest(resource, metadataOf(change.next).name ?? "", {
    why: `user not permitted to ${verb} requests with signerName ${JSON.stringify(signerName)}`,
  });
}

/** Returns what a user has to be allowed to do with requests to the signer. */
function verbFor({ subresource }: ApiRequest, change: ObjectUpdate): "approve" | "sign" | undefined {
  if (subresource === "approval") return "approve";
  return subresource === "status" && isSigned(change) ? "sign" : undefined;
}

/** Reports whether a certificate is issued, or the failure to do so is noted or changed. */
function isSigned({ next, previous }: ObjectUpdate): boolean {
  const [after, before] = [next, previous].map((object) => {
    const { status = {} } = object as Sent<CertificateSigningRequest>;
    return [status.certificate ?? "", status.conditions?.find(({ type }) => type === "Failed")];
  });
  return !deepEqual(after, before);
}
