import { expect, test } from "vitest";
import { createCertificateAuthority, issueCertificate } from "../../machinery/certificates/certificate.ts";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { ReadTextFile } from "../../machinery/client/connection/text-file.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { readApiServerSettings } from "./api-server-settings.ts";

const random = seededRandom("settings");
const now = 1_767_268_800_000;
const authority = createCertificateAuthority(now, random);
const pair = issueCertificate(authority, {
  subject: { commonName: "sa" },
  use: "server",
  now,
  random,
});
const files: ReadonlyMap<string, string> = new Map([
  ["/ca.crt", authority.certificate],
  ["/sa.crt", pair.certificate],
  ["/sa.key", pair.key],
  ["/empty", ""],
]);
const read: ReadTextFile = (file) => {
  const text = files.get(file);
  return text === undefined ? { ok: false, missing: true, reason: "no such file" } : { ok: true, text };
};

/** What controller-runtime 0.25 gives, in its order. */
const ofEnvtest: Readonly<Record<string, string>> = {
  "allow-privileged": "true",
  "authorization-mode": "RBAC",
  "bind-address": "127.0.0.1",
  "cert-dir": "/certs",
  "client-ca-file": "/ca.crt",
  "disable-admission-plugins": "ServiceAccount",
  "etcd-servers": "http://127.0.0.1:2379",
  "secure-port": "34567",
  "service-account-issuer": "https://127.0.0.1:34567/",
  "service-account-key-file": "/sa.crt",
  "service-account-signing-key-file": "/sa.key",
  "service-cluster-ip-range": "10.0.0.0/24",
};

function readWith(changes: Readonly<Record<string, string | undefined>> = {}, more: readonly string[] = []) {
  const flags = Object.entries({ ...ofEnvtest, ...changes });
  const words = flags.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
  return readApiServerSettings([...words, ...more], read);
}

test("gates of Kubernetes for what is always on may be switched on beside ours", () => {
  const wanted = "JobManagedBy=true, SidecarContainers=true,PodDeletionCost=false";
  expect(readWith({ "feature-gates": wanted })).toMatchObject({
    ok: true,
    warnings: [],
    settings: { gates: { ...defaultFeatureGates, PodDeletionCost: false } },
  });
});

test("what envtest gives is read, without a warning", () => {
  expect(readWith()).toMatchObject({
    ok: true,
    warnings: [],
    settings: {
      host: "127.0.0.1",
      port: 34567,
      certificate: { certificate: "/certs/apiserver.crt", key: "/certs/apiserver.key" },
      choices: {
        clientAuthority: authority.certificate,
        tokenIssuer: "https://127.0.0.1:34567/",
        serviceNetwork: { range: "10.0.0.0/24" },
        disabledAdmission: new Set(["ServiceAccount"]),
        hasStorageClasses: false,
      },
    },
  });
});

test("flags that nothing is known of are named in one warning", () => {
  expect(readWith({}, ["--audit-log-path=-", "--made-up", "5"])).toMatchObject({
    ok: true,
    warnings: ["the flags --audit-log-path, --made-up have no effect here"],
  });
});

test("flags without an effect on answers pass in silence", () => {
  expect(readWith({ v: "5", "max-requests-inflight": "10" }, ["--profiling"])).toMatchObject({
    ok: true,
    warnings: [],
  });
});

test.each([
  [{ "etcd-servers": undefined }, "--etcd-servers must be specified"],
  [
    { "secure-port": "web" },
    'invalid argument "web" for "--secure-port" flag: strconv.ParseInt: parsing "web": invalid syntax',
  ],
  [
    { "allow-privileged": "maybe" },
    'invalid argument "maybe" for "--allow-privileged" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
  ],
  [
    { "bind-address": "here" },
    'invalid argument "here" for "--bind-address" flag: failed to parse IP: "here"',
  ],
  [
    { "secure-port": "0" },
    "--secure-port 0 must be between 1 and 65535, inclusive. It cannot be turned off with 0",
  ],
  [{ "client-ca-file": "/none" }, "--client-ca-file /none: no such file"],
  [
    { "client-ca-file": "/empty" },
    "--client-ca-file /empty: data does not contain any valid RSA or ECDSA certificates",
  ],
  [
    { "service-account-key-file": "/empty" },
    "the verification key of service account tokens is not a key in PEM form",
  ],
  [
    { "service-account-signing-key-file": "/sa.crt" },
    "the signing key of service account tokens is not a key in PEM form",
  ],
  [
    { "service-account-issuer": undefined },
    "--service-account-signing-key-file needs --service-account-issuer",
  ],
  [
    { "authorization-mode": "AlwaysAllow" },
    'invalid argument "AlwaysAllow" for "--authorization-mode" flag: not supported: access is decided by RBAC only',
  ],
  [
    { "insecure-port": "8080" },
    'invalid argument "8080" for "--insecure-port" flag: not supported: there is no port without TLS',
  ],
  [
    { "runtime-config": "api/all=true" },
    'invalid argument "api/all=true" for "--runtime-config" flag: not supported: what is served cannot be chosen',
  ],
  [
    { "service-cluster-ip-range": "10.0.0.0/24,fd00::/108" },
    'invalid argument "10.0.0.0/24,fd00::/108" for "--service-cluster-ip-range" flag: must be one IPv4 range with at least four addresses',
  ],
  [
    { "disable-admission-plugins": "NamespaceLifecycle" },
    'disable-admission-plugins plugin "NamespaceLifecycle" is not supported: it is always on here',
  ],
  [
    { "enable-admission-plugins": "PodSecurity" },
    'enable-admission-plugins plugin "PodSecurity" is not supported: it does not exist here',
  ],
  [{ "enable-admission-plugins": "Mine" }, 'enable-admission-plugins plugin "Mine" is unknown here'],
  [
    { "feature-gates": "Mine=true" },
    /^invalid argument "Mine=true" for "--feature-gates" flag: unrecognized feature gate: Mine/,
  ],
  [
    { "feature-gates": "JobManagedBy=false" },
    'invalid argument "JobManagedBy=false" for "--feature-gates" flag: cannot set feature gate JobManagedBy to false, feature is locked to true',
  ],
])("%j is refused: %s", (changes, problem) => {
  const expected: unknown = typeof problem === "string" ? problem : expect.stringMatching(problem);
  expect(readWith(changes)).toEqual({ ok: false, problem: expected });
});

test.each([
  [["-zed=1"], "unknown shorthand flag: 'z' in -zed=1"],
  [["--=5"], "bad flag syntax: --=5"],
  [["--secure-port"], "flag needs an argument: --secure-port"],
  [["-v"], "flag needs an argument: 'v' in -v"],
  [["serve", "all"], '"kube-apiserver" does not take any arguments, got ["serve" "all"]'],
])("%j is refused in the words of kube-apiserver", (words, problem) => {
  expect(readWith({}, words)).toEqual({ ok: false, problem });
});

test.each([[["-v=2"]], [["-v2"]], [["-v", "2"]], [["--"]]])("%j is accepted", (words) => {
  expect(readWith({}, words)).toMatchObject({ ok: true, warnings: [] });
});
