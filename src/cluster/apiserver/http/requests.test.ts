import { get } from "node:https";
import { describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../../api/json.ts";
import { createCertificateAuthority, issueCertificate } from "../../../machinery/certificates/certificate.ts";
import { WallClock } from "../../../machinery/clock/wall-clock.ts";
import { seededRandom } from "../../../machinery/random/random.ts";
import { deploymentOf, podOf } from "../api-server-fixture.contract.ts";
import type { Store } from "../../store/store.ts";
import type { ApiServerAccess } from "../create-api-server.ts";
import { readLines, startHttpsTestApiServer } from "./https-fixture.contract.ts";

const pods = "/api/v1/namespaces/default/pods";
const table = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
const json = (text: string) => JSON.parse(text) as JsonObject;

/** The code of a GET that is sent to a name. */
function fetchFrom(
  { port, ca, token }: ApiServerAccess,
  path: string,
  name: string,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { host: name, authorization: `Bearer ${token}` };
    const options = { host: "127.0.0.1", port, path, ca, servername: name, headers, agent: false } as const;
    get(options, (answer) => resolve(answer.resume().statusCode)).on("error", reject);
  });
}

test("every answer can be traced and none is cached", async () => {
  const { call } = await startHttpsTestApiServer();
  const { headers } = await call(`GET ${pods}`);
  expect(headers).toMatchObject({
    "audit-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    "cache-control": "no-cache, private",
    "content-type": "application/json",
  });
});

describe("authentication", () => {
  test.for(["/healthz", "/livez", "/readyz", "/version"])("%s needs no authentication", async (path) => {
    const { call } = await startHttpsTestApiServer();
    expect((await call(`GET ${path}`, { anonymous: true })).code).toBe(200);
  });

  test.for([pods, "/api", "/apis", "/openapi/v3", "/metrics", "/debug/decisions", "/nowhere"])(
    "%s needs authentication",
    async (path) => {
      const { call } = await startHttpsTestApiServer();
      for (const headers of [{}, { authorization: "Bearer guess" }, { authorization: "Basic YTpi" }]) {
        const { code, text } = await call(`GET ${path}`, { anonymous: true, headers });
        expect(code).toBe(401);
        expect(json(text)).toMatchObject({ kind: "Status", reason: "Unauthorized", message: "Unauthorized" });
      }
    },
  );

  const authority = createCertificateAuthority(new WallClock().now(), seededRandom("ca"));
  const certified = (organizations: readonly string[], by = authority) => {
    const subject = { commonName: "jane", organizations };
    const now = new WallClock().now();
    const issued = issueCertificate(by, { subject, use: "client", now, random: seededRandom("jane") });
    return { tls: { cert: issued.certificate, key: issued.key } };
  };

  test("a client certificate of the server's authority authenticates its subject", async () => {
    const { call } = await startHttpsTestApiServer({ authority });
    expect((await call(`GET ${pods}`, certified(["system:masters"]))).code).toBe(200);
    const review = await call("POST /apis/authentication.k8s.io/v1/selfsubjectreviews", {
      ...certified(["dev", "ops"]),
      body: "{}",
    });
    expect(json(review.text)).toMatchObject({
      status: { userInfo: { username: "jane", groups: ["dev", "ops", "system:authenticated"] } },
    });
  });

  test("a client certificate of another authority does not authenticate", async () => {
    const { call } = await startHttpsTestApiServer({ authority });
    const stranger = createCertificateAuthority(new WallClock().now(), seededRandom("stranger"));
    expect((await call(`GET ${pods}`, certified(["system:masters"], stranger))).code).toBe(401);
  });

  test("only administrators may do anything", async () => {
    const { call } = await startHttpsTestApiServer({ authority, metrics: () => "" });
    const listing = await call(`GET ${pods}`, certified(["dev"]));
    expect(listing.code).toBe(403);
    expect(json(listing.text)["message"]).toBe(
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"',
    );
    expect((await call("GET /metrics", certified(["dev"]))).code).toBe(403);
    expect((await call("GET /apis", certified(["dev"]))).code).toBe(200);
  });
});

describe("refused", () => {
  test.for([
    { name: "requests for another host", headers: { host: "evil.example" } },
    { name: "requests from another site", headers: { origin: "https://evil.example" } },
    { name: "requests from a page without an origin", headers: { origin: "null" } },
    { name: "requests that impersonate a user", headers: { "impersonate-user": "jane" } },
  ])("$name", async ({ headers }) => {
    const { call } = await startHttpsTestApiServer();
    const { code, text } = await call(`GET ${pods}`, { headers });
    expect(code).toBe(403);
    expect(json(text)).toMatchObject({ kind: "Status", reason: "Forbidden" });
  });

  test("not requests for an additional name", async () => {
    const { server, access: first, call } = await startHttpsTestApiServer();
    expect((await call(`GET ${pods}`, { headers: { host: "trimtab.example" } })).code).toBe(403);
    const access = await server.listen({ port: 0, names: ["Trimtab.example"] });
    expect(access.port).not.toBe(first.port);
    const answer = await fetchFrom(access, pods, "trimtab.example");
    expect(answer).toBe(200);
    await access.close();
  });

  test("not a page of the same origin", async () => {
    const { call, access } = await startHttpsTestApiServer();
    expect((await call(`GET ${pods}`, { headers: { origin: access.url } })).code).toBe(200);
  });
});

describe("the form of an answer", () => {
  test.for([
    { accept: "application/json", want: "PodList" },
    { accept: "*/*", want: "PodList" },
    { accept: "application/vnd.kubernetes.protobuf,application/json", want: "PodList" },
    { accept: "application/vnd.kubernetes.protobuf, */*", want: "PodList" },
    { accept: table, want: "Table" },
    { accept: "application/json;g=meta.k8s.io;v=v1beta1;as=Table", want: "Table" },
    { accept: "application/json;as=Table;v=v9;g=meta.k8s.io,application/json", want: "PodList" },
    {
      accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
      want: "PartialObjectMetadataList",
    },
  ])("for $accept is a $want", async ({ accept, want }) => {
    const { call, request } = await startHttpsTestApiServer();
    await request(`POST ${pods}`, podOf("a"));
    const { code, text } = await call(`GET ${pods}`, { headers: { accept } });
    expect([code, json(text)["kind"]]).toEqual([200, want]);
  });

  test("for YAML is YAML", async () => {
    const { call, request } = await startHttpsTestApiServer();
    await request(`POST ${pods}`, podOf("a"));
    const { text, headers } = await call(`GET ${pods}/a`, { headers: { accept: "application/yaml" } });
    expect(headers["content-type"]).toBe("application/yaml");
    expect(parse(text)).toMatchObject({ kind: "Pod", metadata: { name: "a" } });
  });

  test("for YAML quotes what a client would read as another type", async () => {
    const { call, request } = await startHttpsTestApiServer();
    const data = { answer: "yes", mode: "0644", newer: "0o644", y: "n" };
    const maps = "/api/v1/namespaces/default/configmaps";
    await request(`POST ${maps}`, { metadata: { name: "a" }, data });
    const { text } = await call(`GET ${maps}/a`, { headers: { accept: "application/yaml" } });
    expect(parse(text, { version: "1.1" })).toMatchObject({ data });
    expect(text).toContain('newer: "0o644"'); // which Go reads as a number even there
  });

  test.for([
    { form: "JSON", accept: "application/json", items: "items" },
    { form: "YAML", accept: "application/yaml", items: "items" },
    {
      form: "metadata",
      accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
      items: "items",
    },
    { form: "a Table", accept: table, items: "rows" },
  ])("of a list, as $form, is whole however long it is", async ({ accept, items }) => {
    const { call, request } = await startHttpsTestApiServer();
    const read = (text: string): unknown => (accept === "application/yaml" ? parse(text) : JSON.parse(text));
    const names: string[] = [];
    for (const length of [0, 1, 20, 21, 60]) {
      while (names.length < length) {
        names.push(`pod-${String(names.length).padStart(3, "0")}`);
        await request(`POST ${pods}`, podOf(names.at(-1) ?? ""));
      }
      const { text } = await call(`GET ${pods}`, { headers: { accept } });
      const found = (read(text) as Record<string, { metadata?: JsonObject; object?: JsonObject }[]>)[items];
      const nameOf = ({ metadata }: { readonly metadata?: JsonObject }) => metadata?.["name"];
      expect(found?.map((item) => nameOf(item.object ?? item))).toEqual(names);
    }
  });

  test("for protobuf alone is refused", async () => {
    const { call } = await startHttpsTestApiServer();
    const { code, text } = await call(`GET ${pods}`, {
      headers: { accept: "application/vnd.kubernetes.protobuf" },
    });
    expect(code).toBe(406);
    expect(json(text)["message"]).toContain("application/json, application/yaml");
  });

  test("of a Table is as wide as asked", async () => {
    const { call, request } = await startHttpsTestApiServer();
    await request(`POST ${pods}`, podOf("a"));
    const rows = async (query: string) => {
      const { text } = await call(`GET ${pods}${query}`, { headers: { accept: table } });
      return (json(text)["rows"] as { object: JsonObject | null }[]).map(({ object }) => object?.["kind"]);
    };
    expect(await rows("")).toEqual(["PartialObjectMetadata"]);
    expect(await rows("?includeObject=Object")).toEqual(["Pod"]);
    expect(await rows("?includeObject=None")).toEqual([undefined]);
    expect((await call(`GET ${pods}?includeObject=Some`, { headers: { accept: table } })).code).toBe(400);
  });

  test("of a scale is a Table of its own", async () => {
    const { call, request } = await startHttpsTestApiServer();
    const deployments = "/apis/apps/v1/namespaces/default/deployments";
    await request(`POST ${deployments}`, deploymentOf("web", { replicas: 3 }));
    const { text } = await call(`GET ${deployments}/web/scale`, { headers: { accept: table } });
    const { columnDefinitions } = json(text) as { columnDefinitions?: { name: string }[] };
    expect(columnDefinitions?.map(({ name }) => name)).toContain("Desired");
  });
});

test("a warning is a header, whatever is in it", async () => {
  const { call } = await startHttpsTestApiServer({ runKinds: new Set(["Pod"]) });
  const body = JSON.stringify({ ...podOf("a"), 'f"ö\\': 1 });
  const { code, headers } = await call(`POST ${pods}`, { body });
  expect(code).toBe(201);
  expect(Buffer.from(String(headers["warning"]), "latin1").toString()).toBe(
    String.raw`299 - "unknown field \"f\\\"ö\\\\\""`,
  );
});

test.for([
  { name: "many unknown fields", fields: 5000, field: (index: number) => `field${index}` },
  { name: "long unknown fields", fields: 100, field: (index: number) => `${index}${"x".repeat(2000)}` },
  {
    name: "unknown fields in other scripts",
    fields: 300,
    field: (index: number) => `${index}${"界".repeat(300)}`,
  },
])("warnings of $name do not overflow the headers that clients accept", async ({ fields, field }) => {
  const { call } = await startHttpsTestApiServer({ runKinds: new Set(["Pod"]) });
  const unknown = Object.fromEntries(Array.from({ length: fields }, (_, index) => [field(index), 1]));
  const { code, headers } = await call(`POST ${pods}`, {
    body: JSON.stringify({ ...podOf("a"), ...unknown }),
  });
  expect(code).toBe(201);
  const warnings = String(headers["warning"]);
  expect(warnings.length).toBeLessThan(4200);
  expect(warnings).toMatch(/^299 - "unknown field .*, 299 - "\d+ more warnings"$/);
});

describe("paths", () => {
  test.for([
    { what: "GET /api/v1/nothings", code: 404 },
    { what: "GET /apis/apps/v9/deployments", code: 404 },
    { what: "GET /api/v1/namespaces/default/nodes", code: 404 },
    { what: "GET /api/v1/namespaces/default/pods/a/soul", code: 404 },
    { what: "GET /nowhere", code: 404 },
    { what: "GET /api/v1/namespaces/default/pods/%zz", code: 404 },
    { what: "POST /api/v1/pods", code: 405 },
    { what: "DELETE /api/v1/pods", code: 405 },
    { what: "PUT /api/v1/namespaces/default/pods", code: 405 },
    { what: "POST /api/v1/namespaces/default/pods/a", code: 405 },
    { what: "OPTIONS /api/v1/namespaces/default/pods", code: 405 },
    { what: "POST /version", code: 405 },
    { what: "GET /api/v1/namespaces/default/pods/a/log", code: 404 },
    { what: "POST /api/v1/namespaces/default/pods/a/exec", code: 404 },
    { what: "PUT /api/v1/namespaces/default/pods/a/exec", code: 405 },
  ])("$what is answered with $code", async ({ what, code }) => {
    const { call } = await startHttpsTestApiServer();
    const answer = await call(what);
    expect(answer.code).toBe(code);
    expect(json(answer.text)).toMatchObject({ kind: "Status", status: "Failure", code });
  });

  test("a trailing slash means nothing", async () => {
    const { call } = await startHttpsTestApiServer();
    for (const path of ["/api/v1/namespaces/", "/api/", "/healthz/"])
      expect((await call(`GET ${path}`)).code).toBe(200);
  });

  test("discovery is cached by its tag", async () => {
    const { call } = await startHttpsTestApiServer();
    const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
    const first = await call("GET /apis", { headers: { accept } });
    expect(first.headers).toMatchObject({
      "content-type": "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
      vary: "Accept",
    });
    const etag = String(first.headers.etag);
    expect((await call("GET /apis", { headers: { accept, "if-none-match": etag } })).code).toBe(304);
    expect(json((await call("GET /api/v1")).text)["kind"]).toBe("APIResourceList");
  });

  test("OpenAPI is found by its hash, and a stale one leads to the new", async () => {
    const { call } = await startHttpsTestApiServer();
    const { paths } = json((await call("GET /openapi/v3")).text) as {
      paths: Record<string, { serverRelativeURL: string }>;
    };
    const url = paths["apis/apps/v1"]?.serverRelativeURL ?? "";
    const found = await call(`GET ${url}`);
    expect(found.code).toBe(200);
    expect(found.headers["cache-control"]).toContain("immutable");
    expect(json(found.text)["openapi"]).toBe("3.0.0");
    expect(await call("GET /openapi/v3/apis/apps/v1?hash=OLD")).toMatchObject({
      code: 301,
      headers: { location: url },
    });
    expect((await call("GET /openapi/v3/apis/none/v1")).code).toBe(404);
  });

  // upstream e2e: "health handlers should contain necessary checks"
  test.for(["/healthz", "/livez", "/readyz"])("%s lists the checks that tools look for", async (path) => {
    const { call } = await startHttpsTestApiServer({
      readiness: () => [{ name: "informer-sync", ok: true }],
    });
    const lines = (await call(`GET ${path}?verbose=1`)).text.split("\n");
    const hooks = [
      "start-apiserver-admission-initializer",
      "generic-apiserver-start-informers",
      "storage-readiness",
      "start-apiextensions-informers",
      "crd-informer-synced",
      "bootstrap-controller",
      "start-system-namespaces-controller",
      "scheduling/bootstrap-system-priority-classes",
      "start-kube-aggregator-informers",
      "apiservice-openapi-controller",
    ];
    const names = ["ping", "log", "etcd", "autoregister-completion"];
    const wanted = [...names, ...hooks.map((hook) => `poststarthook/${hook}`)];
    if (path === "/readyz") wanted.push("informer-sync", "etcd-readiness", "shutdown");
    expect(lines).toEqual(expect.arrayContaining(wanted.map((name) => `[+]${name} ok`)));
  });

  // upstream e2e: "should return HTTP status code 400 if the user specifies an invalid timeout"
  test.for([
    { path: `${pods}?timeout=invalid`, code: 400 },
    { path: "/version?timeout=5", code: 400 },
    { path: `${pods}?timeout=32s`, code: 200 },
    { path: `${pods}?timeout=`, code: 200 },
  ])("$path is answered with $code", async ({ path, code }) => {
    const { call } = await startHttpsTestApiServer();
    const answer = await call(`GET ${path}`);
    expect(answer.code).toBe(code);
    if (code === 400) expect(answer.text).toContain("invalid timeout specified in the request URL");
  });

  // upstream e2e: "should return a 406 for a backend which does not implement metadata"
  test("a review has no Table", async () => {
    const { call } = await startHttpsTestApiServer();
    const review = (accept: string) =>
      call("POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
        headers: { accept },
        body: JSON.stringify({ spec: { nonResourceAttributes: { path: "/", verb: "get" } } }),
      });
    const refused = await review("application/json;as=Table;v=v1;g=meta.k8s.io");
    expect(refused.code).toBe(406);
    expect(json(refused.text)).toMatchObject({ kind: "Status", reason: "NotAcceptable" });
    expect((await review(table)).code).toBe(201);
  });

  test("readiness says what is missing", async () => {
    const checks = [{ name: "informer-sync", ok: false }];
    const { call } = await startHttpsTestApiServer({ readiness: () => checks });
    const readyz = await call("GET /readyz");
    expect(readyz.code).toBe(500);
    expect(readyz.text).toMatch(
      /^\[\+\]ping ok\n.*\n\[-\]informer-sync failed: reason withheld\n.*\nreadyz check failed\n$/s,
    );
    expect((await call("GET /livez?verbose")).text).toMatch(/^\[\+\]ping ok\n.*\nlivez check passed\n$/s);
    expect((await call("GET /readyz/informer-sync")).code).toBe(500);
    expect((await call("GET /readyz/poststarthook/rbac/bootstrap-roles")).code).toBe(200);
    expect((await call("GET /readyz/none")).code).toBe(404);
  });

  test("a store that cannot write makes the server unhealthy, and one that stops makes it unready", async () => {
    const { call, server, ...fixture } = await startHttpsTestApiServer();
    const store: Store = fixture.store;
    const failure = vi.spyOn(store, "writeFailure").mockReturnValue(new Error("disk full"));
    for (const path of ["/healthz", "/livez", "/readyz"]) {
      const { code, text } = await call(`GET ${path}`);
      expect({ path, code }).toEqual({ path, code: 500 });
      expect(text).toContain("\n[-]etcd failed: reason withheld\n");
      expect((await call(`GET ${path}?exclude=etcd&exclude=etcd-readiness`)).code).toBe(200);
    }
    failure.mockRestore();
    expect((await call("GET /readyz")).code).toBe(200);
    server.announceShutdown();
    expect((await call("GET /readyz")).text).toContain("\n[-]shutdown failed: reason withheld\n");
    expect((await call("GET /livez")).code).toBe(200);
  });

  test("metrics and debug endpoints are served when they are provided", async () => {
    const plain = await startHttpsTestApiServer();
    expect((await plain.call("GET /metrics")).code).toBe(404);
    expect((await plain.call("GET /debug/decisions")).code).toBe(404);
    const { call } = await startHttpsTestApiServer({
      metrics: () => "up 1\n",
      debug: (path) => (path === "/debug/decisions" ? { decisions: [] } : undefined),
    });
    expect((await call("GET /metrics")).text).toBe("up 1\n");
    expect(json((await call("GET /debug/decisions")).text)).toEqual({ decisions: [] });
    expect((await call("GET /debug/other")).code).toBe(404);
  });
});

test("everything that discovery lists is answered, and nothing else is listed", async () => {
  const { call } = await startHttpsTestApiServer();
  const { resources } = JSON.parse((await call("GET /api/v1")).text) as {
    readonly resources: readonly { readonly name: string; readonly verbs: readonly string[] }[];
  };
  const parts = resources.filter(({ name }) => name.includes("/")).map(({ name }) => name);
  expect(parts.filter((name) => name.startsWith("pods/"))).toEqual([
    "pods/attach",
    "pods/binding",
    "pods/ephemeralcontainers",
    "pods/eviction",
    "pods/exec",
    "pods/log",
    "pods/portforward",
    "pods/proxy",
    "pods/resize",
    "pods/status",
  ]);
});

test("an unauthenticated request is answered 401 before anything else", async () => {
  const { call } = await startHttpsTestApiServer();
  for (const path of ["/", "/api", "/version"]) {
    expect((await call(`POST ${path}`, { anonymous: true })).code).toBe(401);
    expect((await call(`POST ${path}`)).code).toBe(405);
  }
});

describe("a watch over the wire", () => {
  const informer =
    "allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&watch=true";

  test("begins as an informer expects, and its bookmark can be resumed from", async () => {
    const { request, open } = await startHttpsTestApiServer();
    await request(`POST ${pods}`, podOf("a"));
    const initial = (await readLines(await open(`GET /api/v1/pods?${informer}`), 2)) as {
      type: string;
      object: { kind: string; metadata: { resourceVersion: string; annotations?: object } };
    }[];
    expect(initial.map(({ type }) => type)).toEqual(["ADDED", "BOOKMARK"]);
    const bookmark = initial[1]?.object;
    expect(bookmark).toMatchObject({
      kind: "Pod",
      metadata: { annotations: { "k8s.io/initial-events-end": "true" } },
    });
    const resumed = await open(
      `GET /api/v1/pods?watch=true&resourceVersion=${bookmark?.metadata.resourceVersion}`,
    );
    await request(`POST ${pods}`, podOf("b"));
    expect(await readLines(resumed, 1)).toMatchObject([
      { type: "ADDED", object: { metadata: { name: "b" } } },
    ]);
  });

  test("sends its headers before anything happens", async () => {
    const { open } = await startHttpsTestApiServer();
    const answer = await open("GET /api/v1/pods?watch=true");
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "application/json"]);
    answer.destroy();
  });

  test("from a revision that is no longer kept is one error and the end", async () => {
    const { request, call, store } = await startHttpsTestApiServer();
    await request(`POST ${pods}`, podOf("a"));
    await request(`POST ${pods}`, podOf("b"));
    store.compact();
    const { code, text } = await call("GET /api/v1/pods?watch=true&resourceVersion=1");
    expect(code).toBe(200);
    const lines = text.trim().split("\n").map(json);
    expect(lines).toMatchObject([
      { type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } },
    ]);
  });

  test("of Tables describes its columns once", async () => {
    const { request, open } = await startHttpsTestApiServer();
    await request(`POST ${pods}`, podOf("a"));
    await request(`POST ${pods}`, podOf("b"));
    const answer = await open(`GET ${pods}?watch=true`, { headers: { accept: table } });
    const events = (await readLines(answer, 2)) as { object: { kind: string; columnDefinitions: unknown } }[];
    expect(events.map(({ object }) => [object.kind, object.columnDefinitions !== null])).toEqual([
      ["Table", true],
      ["Table", false],
    ]);
  });

  test("of metadata has nothing else", async () => {
    const { request, open } = await startHttpsTestApiServer();
    await request(`POST ${pods}`, podOf("a"));
    const accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
    const [event] = await readLines(await open(`GET ${pods}?watch=true`, { headers: { accept } }), 1);
    expect(event).toMatchObject({
      type: "ADDED",
      object: { kind: "PartialObjectMetadata", metadata: { name: "a" } },
    });
    expect(Object.keys((event as { object: object }).object)).toEqual(["kind", "apiVersion", "metadata"]);
  });

  test("ends quietly when its time is up", async () => {
    const { call, clock } = await startHttpsTestApiServer();
    const over = call(`GET ${pods}?watch=true&timeoutSeconds=5`);
    const ticking = (async () => {
      for (let second = 0; second < 10; second++) await clock.advance(1000);
    })();
    expect((await over).text).toBe("");
    await ticking;
  });
});
