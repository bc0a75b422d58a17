import { describe, expect, test } from "vitest";
import { formatTime, parseTime } from "../../api/time.ts";
import { createCertificateAuthority, issueCertificate } from "../../machinery/certificates/certificate.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import type { Finding } from "./finding.ts";
import { judgeCertificate } from "./judge-certificate.ts";
import { judgeCopies } from "./judge-copies.ts";
import { judgeWebhooks } from "./judge-webhooks.ts";
import type { SteerFacts } from "./steer-facts.ts";

const now = parseTime("2026-03-01T12:00:00Z") ?? 0;
const dayMs = 86_400_000;
const random = seededRandom("doctor");
const authority = createCertificateAuthority(now - 2 * dayMs, random);
const other = createCertificateAuthority(now - 2 * dayMs, seededRandom("other"));
const base64 = (text: string) => Buffer.from(text).toString("base64");
const host = "trimtab-steer.trimtab.svc";

const secretWith = (certificate: string) =>
  found({ metadata: { name: "c" }, data: { "tls.crt": base64(certificate) } });
function certificateOf(signer = authority, hosts = [host], issuedAt = now) {
  return issueCertificate(signer, {
    subject: { commonName: host },
    use: "server",
    hosts,
    now: issuedAt,
    random,
  }).certificate;
}

const found = (value: unknown) => ({ state: "found", value: value as never }) as const;
const absent = { state: "absent" } as const;
const unknown = { state: "unknown", why: "forbidden" } as const;

const clientConfig = {
  service: { namespace: "trimtab", name: "trimtab-steer", port: 443 },
  caBundle: base64(authority.certificate),
};
const webhooksNamed = (...names: readonly string[]) =>
  found({ webhooks: names.map((name) => ({ name: `${name}.trimtab-steer.trimtab.dev`, clientConfig })) });

const container = { name: "steer", image: "registry.example/trimtab:1.0.0", args: ["steer"] };
const deployed = (status: object, spec: object = {}, more: object = {}) =>
  found({
    spec: { replicas: 2, template: { spec: { containers: [{ ...container, ...more }] } }, ...spec },
    status,
  });
const heldSince = (renewTime: string, holderIdentity = "a") =>
  found({ spec: { holderIdentity, renewTime, leaseDurationSeconds: 15 } });

const healthy: SteerFacts = {
  name: "trimtab-steer",
  namespace: "trimtab",
  mutating: webhooksNamed("sizes", "ordered", "replaced", "balanced", "scales"),
  validating: webhooksNamed("wishes", "labels"),
  clientConfig,
  leftOut: ["kube-system", "trimtab"],
  certificate: secretWith(certificateOf()),
  lease: heldSince("2026-03-01T11:59:55Z"),
  deployment: deployed({ availableReplicas: 2 }),
  service: found({}),
  endpoints: found([{ endpoints: [{ addresses: ["10.0.0.1"], conditions: { ready: true } }] }]),
};

/** Everything that is said of these facts and is not good. */
function complaints(facts: Partial<SteerFacts>): readonly string[] {
  const all = { ...healthy, ...facts };
  const findings: readonly Finding[] = [
    ...judgeWebhooks(all),
    judgeCertificate(all, now),
    ...judgeCopies(all, { now, version: "1.0.0" }),
  ];
  return findings.flatMap(({ name, state, says }) => (state === "good" ? [] : [`${state} ${name}: ${says}`]));
}

test("nothing is said of a healthy installation", () => {
  expect(complaints({})).toEqual([]);
});

describe("of an installation", () => {
  test.each<{ readonly that: string; readonly facts: Partial<SteerFacts>; readonly says: readonly string[] }>(
    [
      {
        that: "is not there",
        facts: { mutating: absent, validating: absent },
        says: [
          "bad webhooks: there are no webhook configurations trimtab-steer: trimtab steer is not installed here, or has never answered",
        ],
      },
      {
        that: "lost its mutating configuration",
        facts: { mutating: absent },
        says: [
          "bad mutating: MutatingWebhookConfiguration trimtab-steer is not there; steer makes it anew while it runs",
        ],
      },
      {
        that: "lost some webhooks",
        facts: { validating: webhooksNamed("wishes") },
        says: ["bad validating: ValidatingWebhookConfiguration trimtab-steer lacks the webhooks labels"],
      },
      {
        that: "may not be looked at",
        facts: { validating: unknown, certificate: unknown, lease: unknown, deployment: unknown },
        says: [
          "open validating: ValidatingWebhookConfiguration trimtab-steer cannot be read: forbidden",
          "open certificate: the Secret trimtab/trimtab-steer-certificate cannot be read: forbidden",
          "open copies: Deployment trimtab/trimtab-steer cannot be read: forbidden",
          "open leader: the Lease trimtab/trimtab-steer cannot be read: forbidden",
        ],
      },
      {
        that: "has no Service",
        facts: { service: absent },
        says: ["bad address: the Service trimtab/trimtab-steer that the API server calls is not there"],
      },
      {
        that: "has no ready Pod",
        facts: { endpoints: found([{ endpoints: [{ addresses: [], conditions: { ready: false } }] }]) },
        says: [
          "bad address: no Pod is ready behind the Service trimtab/trimtab-steer that the API server calls",
        ],
      },
      {
        that: "has a certificate of another authority",
        facts: { certificate: secretWith(certificateOf(other)) },
        says: [
          "bad certificate: the certificate in the Secret trimtab/trimtab-steer-certificate is not signed by any authority in the caBundle of the webhooks",
        ],
      },
      {
        that: "has a certificate for another name",
        facts: { certificate: secretWith(certificateOf(authority, ["elsewhere"])) },
        says: [
          `bad certificate: the certificate in the Secret trimtab/trimtab-steer-certificate does not name ${host}, which the API server calls`,
        ],
      },
      {
        that: "has no certificate in its Secret",
        facts: { certificate: secretWith("nonsense") },
        says: [
          "bad certificate: the Secret trimtab/trimtab-steer-certificate holds no certificate; steer makes one when it starts",
        ],
      },
      {
        that: "has no available copy",
        facts: { deployment: deployed({}) },
        says: ["bad copies: none of 2 copies of Deployment trimtab/trimtab-steer is available"],
      },
      {
        that: "is scaled to zero",
        facts: { deployment: deployed({}, { replicas: 0 }) },
        says: ["bad copies: Deployment trimtab/trimtab-steer is scaled to zero"],
      },
      {
        that: "lost one of two copies",
        facts: { deployment: deployed({ availableReplicas: 1 }) },
        says: ["open copies: 1 of 2 copies of Deployment trimtab/trimtab-steer are available"],
      },
      {
        that: "is led by nobody",
        facts: { lease: heldSince("2026-03-01T11:59:55Z", "") },
        says: ["bad leader: nobody holds the Lease trimtab/trimtab-steer: no copy leads"],
      },
      {
        that: "was led a minute ago",
        facts: { lease: heldSince("2026-03-01T11:59:00Z") },
        says: [
          "bad leader: a has not renewed the Lease trimtab/trimtab-steer since 2026-03-01T11:59:00Z: no copy leads",
        ],
      },
      {
        that: "is of another version",
        facts: {
          deployment: deployed({ availableReplicas: 2 }, {}, { image: "registry.example:5000/trimtab" }),
        },
        says: ["open version: it runs registry.example:5000/trimtab; this is trimtab 1.0.0"],
      },
    ],
  )("that $that it is said", ({ facts, says }) => {
    expect(complaints(facts)).toEqual(says);
  });
});

test.each([
  { inDays: 1, from: "ok" },
  { inDays: 340, from: "open" },
  { inDays: 400, from: "bad" },
])("a certificate of a year is $from after $inDays days", ({ inDays, from }) => {
  const later = now + inDays * dayMs;
  const { state, says } = judgeCertificate({ ...healthy, certificate: secretWith(certificateOf()) }, later);
  expect(state === "good" ? "ok" : state).toBe(from);
  expect(says).toContain(formatTime(now + 365 * dayMs).slice(0, 4));
});

test.each([
  { args: ["steer"], says: "none beyond the defaults" },
  { args: ["steer", "--feature-gates=DownscalePodPicker=true,Other=false"], says: "DownscalePodPicker on" },
  { args: ["steer", "--feature-gates", "DownscalePodPicker=true"], says: "DownscalePodPicker on" },
])("the gates of $args are read", ({ args, says }) => {
  const facts = { ...healthy, deployment: deployed({ availableReplicas: 2 }, {}, { args }) };
  const gates = judgeCopies(facts, { now, version: "1.0.0" }).find(({ name }) => name === "gates");
  expect(gates?.says).toBe(says);
});
