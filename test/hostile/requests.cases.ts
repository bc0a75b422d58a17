import { configMaps, type HostileRequest, pods } from "./fixture.ts";

const unauthorized = { code: 401, reason: "Unauthorized" } as const;
const forbidden = { code: 403, reason: "Forbidden" } as const;
const notFound = { code: 404, reason: "NotFound" } as const;
const notAllowed = { code: 405, reason: "MethodNotAllowed" } as const;
const bearing = (authorization: string) => ({ anonymous: true, headers: { authorization } });

/** Requests without valid credentials, to another host, or of another origin. */
const strangers: readonly HostileRequest[] = [
  { name: "without a token", what: `GET ${pods}`, anonymous: true, ...unauthorized },
  { name: "with a false token", what: `GET ${pods}`, ...bearing("Bearer nonsense"), ...unauthorized },
  {
    name: "with a very long token",
    what: `GET ${pods}`,
    ...bearing(`Bearer ${"x".repeat(10_000)}`),
    ...unauthorized,
  },
  { name: "with an empty token", what: `GET ${pods}`, ...bearing("Bearer "), ...unauthorized },
  { name: "with a password", what: `GET ${pods}`, ...bearing("Basic YWRtaW46YWRtaW4="), ...unauthorized },
  {
    name: "without a token, to create",
    what: `POST ${configMaps}`,
    anonymous: true,
    body: "{}",
    ...unauthorized,
  },
  {
    name: "without a token, to discovery",
    what: "GET /apis",
    anonymous: true,
    ...unauthorized,
  },
  { name: "without a token, to an unknown path", what: "GET /nowhere", anonymous: true, ...unauthorized },
  { name: "without a token, to the metrics", what: "GET /metrics", anonymous: true, ...unauthorized },
  {
    name: "without a token, to the decisions",
    what: "GET /debug/decisions",
    anonymous: true,
    ...unauthorized,
  },
  { name: "without a token, to the health check", what: "GET /livez", anonymous: true, code: 200 },
  { name: "without a token, to the version", what: "GET /version", anonymous: true, code: 200 },
  {
    name: "to another host",
    what: `GET ${pods}`,
    headers: { host: "evil.example" },
    ...forbidden,
    says: /evil\.example/,
  },
  {
    name: "to a host whose name begins like a served one",
    what: `GET ${pods}`,
    headers: { host: "localhost.evil.example" },
    ...forbidden,
  },
  {
    name: "of a page of another origin",
    what: `GET ${pods}`,
    headers: { origin: "https://evil.example" },
    ...forbidden,
  },
  { name: "of a page without an origin", what: `GET ${pods}`, headers: { origin: "null" }, ...forbidden },
  {
    name: "of a page of another origin, as a preflight",
    what: `OPTIONS ${pods}`,
    anonymous: true,
    headers: { origin: "https://evil.example" },
    ...forbidden,
  },
  {
    name: "that impersonates a user",
    what: `GET ${pods}`,
    headers: { "impersonate-user": "jane" },
    ...forbidden,
  },
];

/** Unsupported methods, paths and headers. */
const astray: readonly HostileRequest[] = [
  { name: "with an unknown method", what: `PROPFIND ${pods}`, ...notAllowed },
  { name: "with the method TRACE", what: `TRACE ${pods}`, ...notAllowed },
  { name: "with the method OPTIONS", what: `OPTIONS ${pods}`, ...notAllowed },
  { name: "that posts to an object", what: `POST ${pods}/web`, body: "{}", ...notAllowed },
  { name: "that puts to a collection", what: `PUT ${pods}`, body: "{}", ...notAllowed },
  { name: "that deletes all namespaces", what: "DELETE /api/v1/namespaces", ...notAllowed },
  { name: "that writes to discovery", what: "POST /apis", body: "{}", ...notAllowed },
  { name: "for a missing object", what: "GET /nowhere", ...notFound },
  { name: "for an unknown resource", what: "GET /api/v1/gadgets", ...notFound },
  { name: "for an unknown version", what: "GET /apis/apps/v9/gadgets", ...notFound },
  {
    name: "for a cluster-scoped resource in a namespace",
    what: "GET /api/v1/namespaces/default/nodes",
    ...notFound,
  },
  { name: "for an unknown subresource", what: `GET ${pods}/web/colour`, ...notFound },
  { name: "for a subresource of a subresource", what: `GET ${pods}/web/status/phase`, ...notFound },
  { name: "with empty segments in its path", what: "GET //api//v1//pods", ...notFound },
  { name: "with parent segments in its path", what: "GET /api/v1/../../etc/passwd", ...notFound },
  {
    name: "with escaped parent segments in its path",
    what: "GET /api/v1/namespaces/%2e%2e/%2e%2e/etc",
    ...notFound,
  },
  { name: "with a slash in a name", what: `GET ${configMaps}/a%2Fb`, ...notFound },
  { name: "with a control character in a name", what: `GET ${configMaps}/a%00b`, ...notFound },
  { name: "with a stray percent sign", what: "GET /api/v1/namespaces/%zz/pods", ...notFound },
  { name: "with the name __proto__", what: `GET ${configMaps}/__proto__`, ...notFound },
  { name: "for the resource __proto__", what: "GET /api/v1/__proto__", ...notFound },
  { name: "for the version constructor", what: "GET /apis/apps/constructor/prototype", ...notFound },
  { name: "with a path of forty thousand letters", what: `GET /${"a".repeat(40_000)}`, ...notFound },
  { name: "with a path of ten thousand segments", what: `GET ${"/a".repeat(10_000)}`, ...notFound },
  {
    name: "for a media type that is not supported",
    what: `GET ${pods}`,
    headers: { accept: "image/png" },
    code: 406,
    reason: "NotAcceptable",
    says: /application\/json/,
  },
  {
    name: "for ten thousand media types",
    what: `GET ${pods}`,
    headers: { accept: `${"a/b;q=0.1,".repeat(4000)}*/*` },
    code: 200,
  },
  {
    name: "for a Table with an unknown includeObject",
    what: `GET ${pods}?includeObject=Everything`,
    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
    code: 400,
    reason: "BadRequest",
  },
];

/** Hostile requests without bodies. */
export const requests: readonly HostileRequest[] = [...strangers, ...astray];
