import { describe, expect, test } from "vitest";
import type { CertificateSigningRequest } from "../../../../api/generated/certificates-v1.ts";
import type { JsonObject } from "../../../../api/json.ts";
import type { Sent } from "../../../../api/sent.ts";
import { toBase64 } from "../../../../api/base64.ts";
import { startHttpsTestApiServer } from "../../http/https-fixture.contract.ts";
import { problemsOf, problemsOfStatus } from "../workload/workload-fixture.cases.ts";
import { certificateSigningRequestPresentation } from "./presentation.ts";
import { certificateSigningRequestStrategy } from "./strategy.ts";

const pem = (type: string, bytes: readonly number[]) =>
  toBase64(
    new TextEncoder().encode(
      `-----BEGIN ${type}-----\n${toBase64(Uint8Array.from(bytes))}\n-----END ${type}-----\n`,
    ),
  );
/** What is signed, the algorithm and the signature, all of them empty. */
const threeParts = [0x30, 6, 0x30, 0, 0x30, 0, 0x03, 0];
const request = pem("CERTIFICATE REQUEST", threeParts);
const certificate = pem("CERTIFICATE", threeParts);
const signerName = "example.com/signer";
const spec = { request, signerName, usages: ["client auth"] };
const metadata = { name: "jane" };

test.for<{ readonly name: string; readonly change: object; readonly want: readonly string[] }>([
  { name: "what is complete", change: {}, want: [] },
  {
    name: "what is no PEM",
    change: { request: "QUJD" },
    want: ['spec.request: Invalid value: "QUJD": PEM block type must be CERTIFICATE REQUEST'],
  },
  {
    name: "a certificate",
    change: { request: certificate },
    want: [`spec.request: Invalid value: "${certificate}": PEM block type must be CERTIFICATE REQUEST`],
  },
  {
    name: "a block with something else",
    change: { request: pem("CERTIFICATE REQUEST", [0x30, 0]) },
    want: [
      `spec.request: Invalid value: "${pem("CERTIFICATE REQUEST", [0x30, 0])}": must be a PKCS #10 certificate request`,
    ],
  },
  { name: "no usage", change: { usages: [] }, want: ["spec.usages: Required value"] },
  {
    name: "a usage twice",
    change: { usages: ["any", "any"] },
    want: ['spec.usages[1]: Duplicate value: "any"'],
  },
  {
    name: "nine minutes",
    change: { expirationSeconds: 540 },
    want: [
      "spec.expirationSeconds: Invalid value: 540: may not specify a duration less than 600 seconds (10 minutes)",
    ],
  },
  { name: "nobody", change: { signerName: "" }, want: ["spec.signerName: Required value"] },
  {
    name: "the signer that has no name",
    change: { signerName: "kubernetes.io/legacy-unknown" },
    want: [
      'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
    ],
  },
  {
    name: "a signer without a path",
    change: { signerName: "example.com" },
    want: [
      `spec.signerName: Invalid value: "example.com": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
    ],
  },
  {
    name: "a signer of a short domain",
    change: { signerName: "example/signer" },
    want: [
      'spec.signerName: Invalid value: "example": should be a domain with at least two segments separated by dots',
    ],
  },
])("asking for $name", ({ change, want }) => {
  expect(problemsOf(certificateSigningRequestStrategy, { metadata, spec: { ...spec, ...change } })).toEqual(
    want,
  );
});

test("an unknown usage is told those that there are", () => {
  const [problem] = problemsOf(certificateSigningRequestStrategy, {
    metadata,
    spec: { ...spec, usages: ["signin"] },
  });
  expect(problem).toMatch(
    /^spec\.usages\[0\]: Unsupported value: "signin": supported values: "any", "cert sign"/,
  );
});

describe("the status", () => {
  type Status = NonNullable<Sent<CertificateSigningRequest>["status"]>;
  const approved = { type: "Approved", status: "True" };
  const failed = { type: "Failed", status: "True" };
  test.for<{
    readonly name: string;
    readonly from?: Status;
    readonly to: Status;
    readonly want: readonly string[];
  }>([
    { name: "may get a certificate", to: { certificate }, want: [] },
    {
      name: "keeps it",
      from: { certificate },
      to: {},
      want: ["status.certificate: Forbidden: updates may not modify existing certificate content"],
    },
    {
      name: "has nothing else for one",
      to: { certificate: request },
      want: [
        'status.certificate: Invalid value: "<certificate data>": only CERTIFICATE PEM blocks are allowed',
      ],
    },
    {
      name: "keeps what was decided",
      from: { conditions: [approved, failed] },
      to: { conditions: [approved] },
      want: ['status.conditions: Forbidden: updates may not remove a condition of type "Failed"'],
    },
    {
      name: "does not say that something did not fail",
      to: { conditions: [{ type: "Failed", status: "False" }] },
      want: ['status.conditions[0].status: Unsupported value: "False": supported values: "True"'],
    },
    {
      name: "is not approved and denied",
      to: { conditions: [approved, { type: "Denied", status: "True" }] },
      want: [
        'status.conditions[1].type: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
      ],
    },
    {
      name: "has a condition once",
      to: { conditions: [failed, failed] },
      want: ['status.conditions[1].type: Duplicate value: "Failed"'],
    },
  ])("$name", ({ from = {}, to, want }) => {
    const [next, previous] = [to, from].map((status) => ({ metadata, spec, status }));
    expect(problemsOfStatus(certificateSigningRequestStrategy, next ?? {}, previous ?? {})).toEqual(want);
  });
});

test.for<readonly [string, readonly string[], string?]>([
  ["Pending", []],
  ["Approved", ["Approved"]],
  ["Denied", ["Denied"]],
  ["Approved,Failed", ["Failed", "Approved"]],
  ["Approved,Issued", ["Approved"], certificate],
])("the table says %s", ([want, types, issued]) => {
  const status = {
    conditions: types.map((type) => ({ type, status: "True" })),
    ...(issued !== undefined && { certificate: issued }),
  };
  const stored = {
    metadata: { ...metadata, uid: "u", resourceVersion: "1" },
    spec: { ...spec, username: "jane", expirationSeconds: 3600 },
    status,
  };
  const cells = certificateSigningRequestPresentation.table?.cells(stored, 0).slice(2);
  expect(cells).toEqual([signerName, "jane", "60m", want]);
});

const csrs = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const roles = "/apis/rbac.authorization.k8s.io/v1";

/** A server on which jane may write CertificateSigningRequests, and do with signers what `verbs` says. */
async function worldOfJane(verbs: readonly string[], signers: readonly string[]) {
  const { request: ask, call } = await startHttpsTestApiServer();
  const group = { apiGroups: ["certificates.k8s.io"] };
  const rules: readonly JsonObject[] = [
    { ...group, resources: ["*"], verbs: ["get", "create", "update", "patch"] },
    ...verbs.map((verb) => ({ ...group, resources: ["signers"], verbs: [verb], resourceNames: signers })),
  ];
  await ask(`POST ${roles}/clusterroles`, { metadata, rules });
  await ask(`POST ${roles}/clusterrolebindings`, {
    metadata,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "jane" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "jane" }],
  });
  const asJane = async (what: string, body: object) => {
    const contentType = what.startsWith("PATCH") ? "application/merge-patch+json" : "application/json";
    const headers = { "impersonate-user": "jane", "content-type": contentType };
    const { code, text } = await call(what, { headers, body: JSON.stringify(body) });
    return { code, body: JSON.parse(text) as CertificateSigningRequest & { readonly message?: string } };
  };
  return { asJane };
}

test("it knows who asked, is approved through its subresource, and is signed through its status", async () => {
  const { asJane } = await worldOfJane(["approve", "sign"], [signerName]);
  const sent = { metadata, spec: { ...spec, username: "admin" }, status: { certificate } };
  const created = await asJane(`POST ${csrs}`, sent);
  expect(created).toMatchObject({ code: 201, body: { spec: { ...spec, username: "jane" } } });
  expect(created.body.spec.groups).toContain("system:authenticated");
  expect(created.body.status?.certificate).toBeUndefined();

  const conditions = [{ type: "Approved", status: "True", reason: "Known" }];
  const elsewhere = await asJane(`PATCH ${csrs}/jane`, {
    status: { conditions },
    spec: { signerName: "a.b/c" },
  });
  expect(elsewhere).toMatchObject({ code: 200, body: { spec: { signerName } } });
  expect(elsewhere.body.status?.conditions).toBeUndefined();

  const status = { conditions, certificate };
  const approval = await asJane(`PUT ${csrs}/jane/approval`, { ...created.body, metadata, status });
  expect(approval).toMatchObject({ code: 200, body: { spec, status: { conditions } } });
  expect(approval.body.status?.certificate).toBeUndefined();
  const [condition] = approval.body.status?.conditions ?? [];
  expect(condition?.lastTransitionTime).toBe(created.body.metadata.creationTimestamp);
  expect(condition?.lastUpdateTime).toBe(condition?.lastTransitionTime);

  const issued = await asJane(`PATCH ${csrs}/jane/status`, { status: { certificate, conditions: [] } });
  expect(issued).toMatchObject({ code: 200, body: { status: { certificate, conditions } } });
});

test.for<readonly [string, readonly string[], readonly string[], number, number]>([
  ["nobody", [], [], 403, 403],
  ["who may approve", ["approve"], [signerName], 200, 403],
  ["who may sign", ["sign"], ["example.com/*"], 403, 200],
  ["who may do both for another signer", ["approve", "sign"], ["example.com/other"], 403, 403],
])(
  "%s: approved and signed by those who may for the signer",
  async ([, verbs, signers, approving, signing]) => {
    const { asJane } = await worldOfJane(verbs, signers);
    await asJane(`POST ${csrs}`, { metadata, spec });
    const conditions = [{ type: "Approved", status: "True" }];
    const approval = await asJane(`PATCH ${csrs}/jane/approval`, { status: { conditions } });
    expect(approval.code).toBe(approving);
    if (approving === 403)
      expect(approval.body.message).toBe(
        `certificatesigningrequests.certificates.k8s.io "jane" is forbidden: user not permitted to approve requests with signerName "${signerName}"`,
      );
    expect((await asJane(`PATCH ${csrs}/jane/status`, { status: { certificate } })).code).toBe(signing);
    // What signs nothing needs no right to sign.
    const labels = { metadata: { labels: { a: "b" } } };
    expect((await asJane(`PATCH ${csrs}/jane/status`, labels)).code).toBe(200);
  },
);
