import type { CertificateSigningRequest } from "../../../../api/generated/certificates-v1.ts";
import { humanDuration } from "../../../../api/duration.ts";
import { ageOf, noneText, orNone, textOrEmpty } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

const requestTable: TableDescription<CertificateSigningRequest> = {
  columns: [
    nameColumn,
    ageColumn,
    column("SignerName", "Who is asked to sign."),
    column("Requestor", "The user who asks."),
    column("RequestedDuration", "For how long the certificate should be valid."),
    column("Condition", "What became of the request."),
  ],
  cells(request, now) {
    const { signerName, username, expirationSeconds } = request.spec;
    const duration = expirationSeconds === undefined ? noneText : humanDuration(expirationSeconds * 1000);
    return [
      request.metadata.name,
      ageOf(request, now),
      orNone(signerName),
      textOrEmpty(username),
      duration,
      stateOf(request),
    ];
  },
};

function stateOf({ status }: CertificateSigningRequest): string {
  const types = new Set(status?.conditions?.map(({ type }) => type));
  const decision = ["Denied", "Approved"].find((type) => types.has(type)) ?? "Pending";
  const failed = types.has("Failed") ? ",Failed" : "";
  return `${decision}${failed}${textOrEmpty(status?.certificate) === "" ? "" : ",Issued"}`;
}

export const certificateSigningRequestPresentation: KindPresentation = {
  table: requestTable,
  descriptions: {
    "certificates.v1.CertificateSigningRequest": {
      about: "Asks a signer for a certificate. Stored here: nothing approves or signs it by itself.",
    },
    "certificates.v1.CertificateSigningRequestSpec": {
      fields: {
        request: "What is asked for: a PKCS #10 request in a PEM block CERTIFICATE REQUEST.",
        signerName: "Who is asked to sign: a domain and a path, such as example.com/signer.",
        expirationSeconds: "For how long the certificate should be valid; 600 at least.",
        usages: "What the key of the certificate may be used for.",
        username: "The user who asks, set by the server.",
        uid: "The UID of the user who asks, set by the server.",
        groups: "The groups of the user who asks, set by the server.",
        extra: "Further attributes of the user who asks, set by the server.",
      },
    },
    "certificates.v1.CertificateSigningRequestStatus": {
      fields: {
        conditions: "Approved and Denied are written through /approval, Failed through /status.",
        certificate: "The certificates in PEM that were issued, written through /status.",
      },
    },
    "certificates.v1.CertificateSigningRequestCondition": {
      fields: { status: "True for Approved, Denied and Failed, which are never taken back." },
    },
  },
};
