import { configMaps, type HostileRequest, pods } from "./fixture.ts";

const unauthorized = { code: 401, reason: "Unauthorized" } as const;
const forbidden = { code: 403, reason: "Forbidden" } as const;
const notFound = { code: 404, reason: "NotFound" } as const;
const notAllowed = { code: 405, reason: "MethodNotAllowed" } as const;
const bearing = (authorization: string) => ({ anonymous: true, headers: { authorization } });

/** People who are not who they should be. */
const strangers: readonly HostileRequest[] = [
  { name: "without a token", what: `GET ${pods}`, anonymous: true, ...unauthorized },
  { name: "with a false token", what: `GET ${pods}`, ...bearing("Bearer nonsense"), ...unauthorized },
  {
    name: "with a token like a novel",
    what: `GET ${pods}`,
    ...bearing(`Bearer ${"x".repeat(10_000)}`),
    ...unauthorized,
  },
  { name: "with a token of nothing", what: `GET ${pods}`, ...bearing("Bearer "), ...unauthorized },
  { name: "with a password", what: `GET ${pods}`, ...bearing("Basic YWRtaW46YWRtaW4="), ...unauthorized },
  {
    name: "without a token, who wants to write",
    what: `POST ${configMaps}`,
    anonymous: true,
    body: "{}",
    ...unauthorized,
  },
  {
    name: "without a token, who looks for what there is",
    what: "GET /apis",
    anonymous: true,
    ...unauthorized,
  },
  { name: "without a token, who tries a path", what: "GET /nowhere", anonymous: true, ...unauthorized },
  { name: "without a token, who asks for metrics", what: "GET /metrics", anonymous: true, ...unauthorized },
  {
    name: "without a token, who asks after the decisions",
    what: "GET /debug/decisions",
    anonymous: true,
    ...unauthorized,
  },
  { name: "without a token, who asks after its health", what: "GET /livez", anonymous: true, code: 200 },
  { name: "without a token, who asks for the version", what: "GET /version", anonymous: true, code: 200 },
  {
    name: "sent to another host",
    what: `GET ${pods}`,
    headers: { host: "evil.example" },
    ...forbidden,
    says: /evil\.example/,
  },
  {
    name: "sent to a host that only looks like ours",
    what: `GET ${pods}`,
    headers: { host: "localhost.evil.example" },
    ...forbidden,
  },
  {
    name: "of a page from elsewhere",
    what: `GET ${pods}`,
    headers: { origin: "https://evil.example" },
    ...forbidden,
  },
  { name: "of a page without an origin", what: `GET ${pods}`, headers: { origin: "null" }, ...forbidden },
  {
    name: "of a page from elsewhere that only asks first",
    what: `OPTIONS ${pods}`,
    anonymous: true,
    headers: { origin: "https://evil.example" },
    ...forbidden,
  },
  {
    name: "in someone else's name",
    what: `GET ${pods}`,
    headers: { "impersonate-user": "jane" },
    ...forbidden,
  },
];

/** Methods, paths and headers that lead nowhere. */
const astray: readonly HostileRequest[] = [
  { name: "with an unknown method", what: `PROPFIND ${pods}`, ...notAllowed },
  { name: "that wants to be traced", what: `TRACE ${pods}`, ...notAllowed },
  { name: "that asks for options", what: `OPTIONS ${pods}`, ...notAllowed },
  { name: "that posts to an object", what: `POST ${pods}/web`, body: "{}", ...notAllowed },
  { name: "that puts to a collection", what: `PUT ${pods}`, body: "{}", ...notAllowed },
  { name: "that deletes all namespaces", what: "DELETE /api/v1/namespaces", ...notAllowed },
  { name: "that writes to discovery", what: "POST /apis", body: "{}", ...notAllowed },
  { name: "for nothing", what: "GET /nowhere", ...notFound },
  { name: "for an unknown resource", what: "GET /api/v1/gadgets", ...notFound },
  { name: "for an unknown group", what: "GET /apis/gadgets.example/v1/gadgets", ...notFound },
  {
    name: "for a cluster's resource in a namespace",
    what: "GET /api/v1/namespaces/default/nodes",
    ...notFound,
  },
  { name: "for an unknown part", what: `GET ${pods}/web/colour`, ...notFound },
  { name: "for a part of a part", what: `GET ${pods}/web/status/phase`, ...notFound },
  { name: "with empty steps in its path", what: "GET //api//v1//pods", ...notFound },
  { name: "that climbs out of its path", what: "GET /api/v1/../../etc/passwd", ...notFound },
  { name: "that climbs in disguise", what: "GET /api/v1/namespaces/%2e%2e/%2e%2e/etc", ...notFound },
  { name: "with a slash in a name", what: `GET ${configMaps}/a%2Fb`, ...notFound },
  { name: "with a letter of no language in a name", what: `GET ${configMaps}/a%00b`, ...notFound },
  { name: "with a stray percent sign", what: "GET /api/v1/namespaces/%zz/pods", ...notFound },
  { name: "with a name of prototypes", what: `GET ${configMaps}/__proto__`, ...notFound },
  { name: "for a resource of prototypes", what: "GET /api/v1/__proto__", ...notFound },
  { name: "for a group of prototypes", what: "GET /apis/constructor/v1/prototype", ...notFound },
  { name: "with a path of forty thousand letters", what: `GET /${"a".repeat(40_000)}`, ...notFound },
  { name: "with a path of ten thousand steps", what: `GET ${"/a".repeat(10_000)}`, ...notFound },
  {
    name: "for an answer in a form we do not have",
    what: `GET ${pods}`,
    headers: { accept: "image/png" },
    code: 406,
    reason: "NotAcceptable",
    says: /application\/json/,
  },
  {
    name: "for an answer of ten thousand forms",
    what: `GET ${pods}`,
    headers: { accept: `${"a/b;q=0.1,".repeat(4000)}*/*` },
    code: 200,
  },
  {
    name: "for a table of nonsense",
    what: `GET ${pods}?includeObject=Everything`,
    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
    code: 400,
    reason: "BadRequest",
  },
];

/** What is wrong with requests, before anyone looks at their bodies. */
export const requests: readonly HostileRequest[] = [...strangers, ...astray];
