import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { WebhookClientConfig } from "../../api/generated/admissionregistration-v1.ts";
import { formatTime, type Instant } from "../../api/time.ts";
import { hostsOf } from "../../steering/run-steering.ts";
import { certificateEnd } from "../../steering/serving/certificate-secret.ts";
import { bad, type Finding, good, open } from "./finding.ts";
import type { SteerFacts } from "./steer-facts.ts";

const dayMs = 86_400_000;
const title = "certificate";

/** Whether the certificate of the webhook is valid, names the address, and is trusted by the API server. */
export function judgeCertificate(facts: SteerFacts, now: Instant): Finding {
  const { certificate: reading, name, namespace } = facts;
  const secret = `the Secret ${namespace}/${name}-certificate`;
  if (reading.state === "unknown") return open(title, `${secret} cannot be read: ${reading.why}`);
  if (reading.state === "absent")
    return open(title, `${secret} is not there: it is in files, has another name, or steer has not run here`);
  const text = textOf(reading.value.data?.["tls.crt"]);
  const certificate = parsed(text);
  if (certificate === undefined)
    return bad(title, `${secret} holds no certificate; steer makes one when it starts`, renew(facts));
  const problem = problemOf(certificate, facts, now);
  if (problem !== undefined) return bad(title, `the certificate in ${secret} ${problem}`, renew(facts));
  const end = certificateEnd(text);
  const until = `valid until ${formatTime(end)}`;
  return end - now < 30 * dayMs
    ? open(title, `${until}: a copy of steer that runs renews it 60 days ahead, and has not`, renew(facts))
    : good(title, until);
}

function problemOf(certificate: X509Certificate, facts: SteerFacts, now: Instant): string | undefined {
  const end = certificateEnd(certificate.toString());
  if (end <= now) return `ended at ${formatTime(end)}`;
  const { clientConfig } = facts;
  if (clientConfig === undefined) return undefined;
  const host = hostOf(clientConfig);
  const isNamed = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  if (isNamed === undefined) return `does not name ${host}, which the API server calls`;
  return isTrusted(certificate, clientConfig.caBundle)
    ? undefined
    : "is not signed by any authority in the caBundle of the webhooks";
}

function hostOf({ url, service }: WebhookClientConfig): string {
  const { namespace = "", name = "", port = 443 } = service ?? {};
  const address =
    url === undefined
      ? ({ kind: "service", namespace, name, port } as const)
      : ({ kind: "url", url } as const);
  return hostsOf({ address })[0] ?? "";
}

function isTrusted(certificate: X509Certificate, caBundle = ""): boolean {
  const blocks = textOf(caBundle).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.some((block) => {
    const authority = parsed(block);
    return authority !== undefined && certificate.verify(authority.publicKey);
  });
}

function parsed(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined; // whatever is there, it is none
  }
}

const textOf = (base64 = ""): string => Buffer.from(base64, "base64").toString("utf8");

/** Copies read the Secret when they start, and make it anew where there is none. */
function renew({ name, namespace, deployment }: SteerFacts): string {
  const remove = `kubectl -n ${namespace} delete secret ${name}-certificate`;
  const again = `kubectl -n ${namespace} rollout restart deployment/${name}`;
  return deployment.state === "found" ? `${remove} && ${again}` : remove;
}
