import type { CertificateSigningRequestSpec } from "../../../../api/generated/certificates-v1.ts";
import { base64Bytes } from "../../../../api/base64.ts";
import { each, type FieldErrors, none } from "../../../../api/field-checks.ts";
import { duplicate, invalid, notSupported, required } from "../../../../api/field-error.ts";
import { dns1123LabelProblems, dns1123SubdomainProblems } from "../../../../api/names.ts";
import type { Sent } from "../../../../api/sent.ts";
import { elementsOf, pemBlocks } from "../../../../machinery/certificates/read-pem.ts";

type Spec = Sent<CertificateSigningRequestSpec>;

const usages: readonly string[] = [
  "any",
  "cert sign",
  "client auth",
  "code signing",
  "content commitment",
  "crl sign",
  "data encipherment",
  "decipher only",
  "digital signature",
  "email protection",
  "encipher only",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "key agreement",
  "key encipherment",
  "microsoft sgc",
  "netscape sgc",
  "ocsp signing",
  "s/mime",
  "server auth",
  "signing",
  "timestamping",
];
const leastSeconds = 600;
/** The signer of requests from before signers had names. */
const legacySigner = "kubernetes.io/legacy-unknown";

/** Validates what is asked for. */
export function validateRequestSpec(spec: Spec): FieldErrors {
  const { request = "", signerName = "", expirationSeconds = leastSeconds } = spec;
  return [
    ...validateRequest(request),
    ...validateUsages(spec),
    ...(expirationSeconds < leastSeconds
      ? [
          invalid(
            "spec.expirationSeconds",
            expirationSeconds,
            "may not specify a duration less than 600 seconds (10 minutes)",
          ),
        ]
      : none),
    ...validateSigner(signerName),
  ];
}

/** Validates the form of a PKCS #10 request; its signature is not checked. */
function validateRequest(request: string): FieldErrors {
  const [block] = pemBlocks(base64Bytes(request));
  if (block?.type !== "CERTIFICATE REQUEST")
    return [invalid("spec.request", request, "PEM block type must be CERTIFICATE REQUEST")];
  // What is signed, the algorithm, and the signature.
  return elementsOf(block.bytes)?.length === 3
    ? none
    : [invalid("spec.request", request, "must be a PKCS #10 certificate request")];
}

function validateUsages({ usages: wanted = [] }: Spec): FieldErrors {
  if (wanted.length === 0) return [required("spec.usages")];
  const seen = new Set<string>();
  return each(wanted, "spec.usages", (usage, at) => {
    const isRepeated = seen.has(usage);
    seen.add(usage);
    return [
      ...(usages.includes(usage) ? none : [notSupported(at, usage, usages)]),
      ...(isRepeated ? [duplicate(at, usage)] : none),
    ];
  });
}

function validateSigner(name: string): FieldErrors {
  const at = "spec.signerName";
  if (name === "") return [required(at)];
  if (name === legacySigner)
    return [invalid(at, name, "the legacy signerName is not allowed via this API version")];
  const [domain = "", path, ...others] = name.split("/");
  if (path === undefined || others.length > 0) {
    const form = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalid(at, name, form)];
  }
  const labels = domain.split(".");
  return [
    ...firstProblem(labels, dns1123LabelProblems).map((problem) => invalid(at, domain, problem)),
    ...(labels.length < 2
      ? [invalid(at, domain, "should be a domain with at least two segments separated by dots")]
      : none),
    ...firstProblem(path.split("."), dns1123SubdomainProblems).map((problem) => invalid(at, path, problem)),
  ];
}

/** Returns the problems of the first label that has any. */
function firstProblem(
  labels: readonly string[],
  problemsOf: (label: string) => readonly string[],
): readonly string[] {
  for (const label of labels) {
    const problems = problemsOf(label);
    if (problems.length > 0)
      return problems.map((problem) => `validating label ${JSON.stringify(label)}: ${problem}`);
  }
  return [];
}
