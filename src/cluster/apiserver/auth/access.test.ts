import { expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import type { HttpsTestApiServer } from "../http/https-fixture.contract.ts";
import { startHttpsTestApiServer } from "../http/https-fixture.contract.ts";

const core = "/api/v1/namespaces/default";
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const reader = { kind: "Role", name: "reader", apiGroup: "rbac.authorization.k8s.io" };

/** A server with a role that may read Pods and their logs, which the account `robot` has. */
async function worldWithReader() {
  const server = await startHttpsTestApiServer();
  const { request } = server;
  await request(`POST ${core}/serviceaccounts`, { metadata: { name: "robot" } });
  await request(`POST ${rbac}/namespaces/default/roles`, {
    metadata: { name: "reader" },
    rules: [{ verbs: ["get", "list"], apiGroups: [""], resources: ["pods", "pods/log"] }],
  });
  await request(`POST ${rbac}/namespaces/default/rolebindings`, {
    metadata: { name: "readers" },
    roleRef: reader,
    subjects: [
      { kind: "ServiceAccount", name: "robot" },
      { kind: "Group", name: "auditors", apiGroup: "rbac.authorization.k8s.io" },
    ],
  });
  return server;
}

async function issueToken({ request }: HttpsTestApiServer, spec: JsonObject = {}) {
  const { body } = await request(`POST ${core}/serviceaccounts/robot/token`, { spec });
  return (body["status"] as { readonly token: string }).token;
}

const bearing = (token: string) => ({
  anonymous: true,
  headers: { authorization: `Bearer ${token}` },
});
const posting = (body: JsonObject, headers: Readonly<Record<string, string>> = {}) => ({
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});
const json = (text: string) => JSON.parse(text) as JsonObject;

test("a token of a service account authenticates it, with what its roles allow", async () => {
  const server = await worldWithReader();
  const token = await issueToken(server);
  const get = async (path: string) => server.call(`GET ${path}`, bearing(token));
  expect((await get(`${core}/pods`)).code).toBe(200);
  expect((await get("/apis")).code).toBe(200);
  const refused = await get(`${core}/secrets`);
  expect(refused.code).toBe(403);
  expect(json(refused.text)["message"]).toBe(
    'secrets is forbidden: User "system:serviceaccount:default:robot" cannot list resource "secrets" in API group "" in the namespace "default"',
  );
  expect((await get("/api/v1/pods")).code).toBe(403);
  expect((await get("/metrics")).code).toBe(403);
  expect((await get(`${core}/pods/web/log`)).code).toBe(404);
});

test("a token ends with its time, its account and the object it is bound to", async () => {
  const server = await worldWithReader();
  const { request, clock } = server;
  await request(`POST ${core}/secrets`, { metadata: { name: "bond" } });
  const bound = await issueToken(server, { boundObjectRef: { kind: "Secret", name: "bond" } });
  const short = await issueToken(server, { expirationSeconds: 600 });
  const long = await issueToken(server);
  const codes = () =>
    Promise.all(
      [bound, short, long].map(async (token) => (await server.call(`GET ${core}/pods`, bearing(token))).code),
    );
  expect(await codes()).toEqual([200, 200, 200]);
  await request(`DELETE ${core}/secrets/bond`);
  expect(await codes()).toEqual([401, 200, 200]);
  await clock.advance(600_000);
  expect(await codes()).toEqual([401, 401, 200]);
  await request(`DELETE ${core}/serviceaccounts/robot`);
  await request(`POST ${core}/serviceaccounts`, { metadata: { name: "robot" } });
  expect(await codes()).toEqual([401, 401, 401]);
});

test("a token that was changed, or is for others, is not accepted", async () => {
  const server = await worldWithReader();
  const token = await issueToken(server);
  const [head = "", body = "", signature = ""] = token.split(".");
  const claims = { ...json(Buffer.from(body, "base64url").toString()), exp: 9_999_999_999 };
  const forged = [head, Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
  const unsigned = [Buffer.from('{"alg":"none"}').toString("base64url"), body, ""].join(".");
  const others = await issueToken(server, { audiences: ["vault"] });
  for (const bad of [forged, unsigned, others, `${token}x`, "a.b.c", ".."])
    expect((await server.call(`GET ${core}/pods`, bearing(bad))).code).toBe(401);
});

test("a review of a token says whose it is, for the audiences that are asked for", async () => {
  const server = await worldWithReader();
  const token = await issueToken(server, { audiences: ["vault", "other"] });
  const review = async (audiences?: readonly string[]) =>
    (
      await server.request("POST /apis/authentication.k8s.io/v1/tokenreviews", {
        spec: { token, ...(audiences && { audiences }) },
      })
    ).body["status"];
  expect(await review()).toEqual({ user: {}, error: "invalid bearer token" });
  expect(await review(["else"])).toEqual({ user: {}, error: "invalid bearer token" });
  expect(await review(["vault", "else"])).toMatchObject({
    authenticated: true,
    audiences: ["vault"],
    user: {
      username: "system:serviceaccount:default:robot",
      uid: expect.any(String),
      groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
      extra: { "authentication.kubernetes.io/credential-id": [expect.stringMatching(/^JTI=/)] },
    },
  });
});

test("a token that is bound to a Pod tells its node, which need not exist", async () => {
  const server = await worldWithReader();
  const spec = { serviceAccountName: "robot", nodeName: "n1", containers: [{ name: "c", image: "i" }] };
  await server.request(`POST ${core}/pods`, { metadata: { name: "web" }, spec });
  const token = await issueToken(server, { boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "web" } });
  const { body } = await server.request("POST /apis/authentication.k8s.io/v1/tokenreviews", {
    spec: { token },
  });
  expect(body["status"]).toMatchObject({
    authenticated: true,
    user: {
      extra: {
        "authentication.kubernetes.io/node-name": ["n1"],
        "authentication.kubernetes.io/pod-name": ["web"],
        "authentication.kubernetes.io/pod-uid": [expect.any(String)],
      },
    },
  });
});

test.for<{ name: string; spec?: JsonObject; metadata?: JsonObject; code: number; message?: string }>([
  {
    name: "too short a time",
    spec: { expirationSeconds: 5 },
    code: 422,
    message:
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
  },
  { name: "too long a time", spec: { expirationSeconds: 2 ** 33 }, code: 422 },
  { name: "an object that is not there", spec: { boundObjectRef: { kind: "Pod", name: "gone" } }, code: 404 },
  {
    name: "an object of a strange kind",
    spec: { boundObjectRef: { kind: "Lamp", name: "x" } },
    code: 400,
    message: "cannot bind token to object of type /, Kind=Lamp",
  },
  {
    name: "an object of another group",
    spec: { boundObjectRef: { apiVersion: "apps/v1", kind: "Pod", name: "x" } },
    code: 400,
    message: "cannot bind token to object of type apps/v1, Kind=Pod",
  },
  { name: "an object without a name", spec: { boundObjectRef: { kind: "Pod" } }, code: 400 },
  {
    name: "the Pod of another account",
    spec: { boundObjectRef: { kind: "Pod", name: "other" } },
    code: 400,
    message:
      'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
  },
  {
    name: "an earlier object of the name",
    spec: { boundObjectRef: { kind: "Secret", name: "bond", uid: "old" } },
    code: 409,
    message:
      'Operation cannot be fulfilled on Secret "bond": the UID in the bound object reference (old) does not match the UID in record. The object might have been deleted and then recreated',
  },
  {
    name: "an account of another name",
    metadata: { name: "other" },
    code: 422,
    message:
      'TokenRequest.authentication.k8s.io "robot" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
  },
  { name: "an account of another namespace", metadata: { namespace: "other" }, code: 400 },
  { name: "an earlier account of the name", metadata: { uid: "old" }, code: 409 },
])("a token for $name is refused with $code", async ({ name: _name, code, message, ...body }) => {
  const { request } = await worldWithReader();
  await request(`POST ${core}/secrets`, { metadata: { name: "bond" } });
  const spec = { serviceAccountName: "default", containers: [{ name: "c", image: "i" }] };
  await request(`POST ${core}/serviceaccounts`, { metadata: { name: "default" } });
  await request(`POST ${core}/pods`, { metadata: { name: "other" }, spec });
  const answer = await request(`POST ${core}/serviceaccounts/robot/token`, body);
  expect(answer.code).toBe(code);
  if (message !== undefined) expect(answer.body["message"]).toBe(message);
});

test("a token is issued in a dry run as well, as Kubernetes does: nothing is stored", async () => {
  const { request } = await worldWithReader();
  expect(await request(`POST ${core}/serviceaccounts/robot/token?dryRun=All`, {})).toMatchObject({
    code: 201,
    body: {
      metadata: { name: "robot", uid: expect.any(String) },
      spec: { expirationSeconds: 3600 },
      status: { token: expect.stringMatching(/./) },
    },
  });
});

const whoAmI = "POST /apis/authentication.k8s.io/v1/selfsubjectreviews";

test("the administrator may impersonate anybody, with groups, UID and more", async () => {
  const { call } = await worldWithReader();
  const headers = {
    "Impersonate-User": "jane",
    "Impersonate-Group": "auditors",
    "Impersonate-Uid": "7",
    "Impersonate-Extra-Acme.com%2fProject": "x",
  };
  const answer = await call(whoAmI, posting({}, headers));
  expect(json(answer.text)["status"]).toEqual({
    userInfo: {
      username: "jane",
      uid: "7",
      groups: ["auditors", "system:authenticated"],
      extra: { "acme.com/project": ["x"] },
    },
  });
  expect((await call(`GET ${core}/pods`, { headers })).code).toBe(200);
  expect((await call(`GET ${core}/secrets`, { headers })).code).toBe(403);
});

test("an impersonated service account has the groups of one", async () => {
  const { call } = await worldWithReader();
  const headers = { "Impersonate-User": "system:serviceaccount:default:robot" };
  expect(json((await call(whoAmI, posting({}, headers))).text)["status"]).toMatchObject({
    userInfo: {
      groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
    },
  });
});

test("others may impersonate nobody", async () => {
  const server = await worldWithReader();
  const { headers } = bearing(await issueToken(server));
  const answer = await server.call(`GET ${core}/pods`, {
    anonymous: true,
    headers: { ...headers, "Impersonate-User": "admin", "Impersonate-Group": "system:masters" },
  });
  expect(answer.code).toBe(403);
  expect(json(answer.text)["message"]).toContain("cannot impersonate");
});

test.for<Readonly<Record<string, string>>>([
  { "Impersonate-Group": "auditors" },
  { "Impersonate-Uid": "7" },
  { "Impersonate-User": "jane", "Impersonate-Colour": "green" },
])("impersonating %o is refused", async (headers) => {
  const { call } = await worldWithReader();
  expect((await call(`GET ${core}/pods`, { headers })).code).toBe(400);
});

const authorization = "/apis/authorization.k8s.io/v1";
const asJane = { "Impersonate-User": "jane", "Impersonate-Group": "auditors" };
const attributes = (verb: string, resource: string, rest: JsonObject = {}) => ({
  spec: { resourceAttributes: { namespace: "default", verb, resource, ...rest } },
});

test.for<{ body: JsonObject; allowed: boolean }>([
  { body: attributes("list", "pods"), allowed: true },
  { body: attributes("get", "pods", { subresource: "log" }), allowed: true },
  { body: attributes("get", "pods", { subresource: "exec" }), allowed: false },
  { body: attributes("delete", "pods"), allowed: false },
  { body: attributes("list", "pods", { namespace: "other" }), allowed: false },
  { body: attributes("list", "pods", { namespace: "" }), allowed: false },
  { body: { spec: { nonResourceAttributes: { verb: "get", path: "/apis/apps" } } }, allowed: true },
  { body: { spec: { nonResourceAttributes: { verb: "get", path: "/metrics" } } }, allowed: false },
])("a member of a group that a role is bound to is told of $body: $allowed", async ({ body, allowed }) => {
  const { call, request } = await worldWithReader();
  const self = await call(`POST ${authorization}/selfsubjectaccessreviews`, posting(body, asJane));
  expect(json(self.text)).toMatchObject({ status: { allowed } });
  const spec = {
    ...(body["spec"] as JsonObject),
    user: "jane",
    groups: ["auditors", "system:authenticated"],
  };
  const other = await request(`POST ${authorization}/subjectaccessreviews`, { spec });
  expect(other.body).toMatchObject({ status: { allowed } });
});

test.for([
  { user: "jane", groups: ["auditors"], to: 'Group "auditors"' },
  { user: "system:serviceaccount:default:robot", groups: [], to: 'ServiceAccount "robot/default"' },
])("a review says which binding allows $user an access", async ({ user, groups, to }) => {
  const { request } = await worldWithReader();
  const { resourceAttributes } = attributes("list", "pods").spec;
  const { body } = await request(`POST ${authorization}/subjectaccessreviews`, {
    spec: { resourceAttributes, user, groups },
  });
  expect(body["status"]).toEqual({
    allowed: true,
    reason: `RBAC: allowed by RoleBinding "readers/default" of Role "reader" to ${to}`,
  });
});

test("the rules that hold for a user are listed", async () => {
  const { call } = await worldWithReader();
  const body = { spec: { namespace: "default" } };
  const answer = await call(`POST ${authorization}/selfsubjectrulesreviews`, posting(body, asJane));
  const { status } = json(answer.text) as { status: { resourceRules: readonly object[] } };
  expect(status.resourceRules).toContainEqual({
    verbs: ["get", "list"],
    apiGroups: [""],
    resources: ["pods", "pods/log"],
  });
});

test("cluster roles hold everywhere, where they are bound, for named objects, and aggregated", async () => {
  const { call, request } = await worldWithReader();
  const role = (name: string, rest: JsonObject) =>
    request(`POST ${rbac}/clusterroles`, { metadata: { name, labels: { part: name } }, ...rest });
  await role("keys", {
    rules: [{ verbs: ["get"], apiGroups: [""], resources: ["secrets"], resourceNames: ["own"] }],
  });
  await role("all", { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: "keys" } }] } });
  await request(`POST ${rbac}/clusterrolebindings`, {
    metadata: { name: "all" },
    roleRef: { ...reader, kind: "ClusterRole", name: "all" },
    subjects: [{ kind: "User", name: "jane", apiGroup: "rbac.authorization.k8s.io" }],
  });
  const get = async (path: string) =>
    (await call(`GET ${path}`, { headers: { "Impersonate-User": "jane" } })).code;
  expect(await get("/api/v1/namespaces/other/secrets/own")).toBe(404);
  expect(await get("/api/v1/namespaces/other/secrets/another")).toBe(403);
  expect(await get("/api/v1/namespaces/other/secrets")).toBe(403);
});
