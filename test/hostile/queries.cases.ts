import { configMaps, type HostileRequest } from "./fixture.ts";

const bad = { code: 400, reason: "BadRequest" } as const;
const invalid = { code: 422, reason: "Invalid" } as const;
const fine = { code: 200 } as const;

const selecting = (selector: string, by = "labelSelector") => ({
  what: `GET ${configMaps}?${by}=${encodeURIComponent(selector)}`,
});
const asking = (query: string) => ({ what: `GET ${configMaps}?${query}` });
const token = (text: string) =>
  asking(`limit=1&continue=${encodeURIComponent(Buffer.from(text).toString("base64url"))}`);

/** Hostile queries. */
export const queries: readonly HostileRequest[] = [
  { name: "a selector of thirty thousand parts", ...selecting("a,".repeat(15_000).concat("a")), ...fine },
  { name: "a set of ten thousand", ...selecting(`a in (${"x,".repeat(10_000)}x)`), ...fine },
  { name: "a set that never ends", ...selecting(`a in (${"x,".repeat(10_000)}`), ...bad },
  { name: "thousands of brackets", ...selecting("(".repeat(20_000)), ...bad },
  { name: "thousands of negations", ...selecting("!".repeat(20_000)), ...bad },
  { name: "a selector with nothing between its commas", ...selecting(",,,"), ...bad },
  { name: "a selector with a malformed key", ...selecting("a/b/c=d"), ...bad },
  { name: "a selector with an unknown operator", ...selecting("a =~ b"), ...bad },
  { name: "a selector with a malformed value", ...selecting("a=$(reboot)"), ...bad },
  { name: "a selector with a control character", ...selecting("a\u0000=b"), ...bad },
  { name: "a comparison with what is no number", ...selecting("a>b"), ...bad },
  { name: "a selector of __proto__", ...selecting("__proto__=x"), ...bad },
  { name: "a dry run of nothing", what: `DELETE ${configMaps}/a?dryRun=`, ...invalid },
  { name: "a watch that continues a list", ...asking("watch=true&continue=abc"), ...invalid },
  { name: "a namespace of nodes", what: "GET /api/v1/nodes?fieldSelector=metadata.namespace%3Da", ...bad },
  { name: "a selector of constructor", ...selecting("constructor"), ...fine },
  {
    name: "an unsupported field",
    ...selecting("data.a=b", "fieldSelector"),
    ...bad,
    says: /not a known field selector|not supported/,
  },
  { name: "a field of __proto__", ...selecting("__proto__.polluted=1", "fieldSelector"), ...bad },
  { name: "a field without a value", ...selecting("metadata.name", "fieldSelector"), ...bad },
  {
    name: "thousands of escapes",
    ...selecting(`metadata.name=${"\\".repeat(5001)}`, "fieldSelector"),
    ...bad,
  },
  { name: "a limit below zero", ...asking("limit=-1"), ...fine },
  { name: "a limit that is no number", ...asking("limit=many"), ...bad },
  { name: "a limit that overflows", ...asking(`limit=${"9".repeat(100)}`), ...bad },
  { name: "a revision that is no number", ...asking("resourceVersion=latest"), ...bad },
  { name: "a revision below zero", ...asking("resourceVersion=-1"), ...bad },
  { name: "a revision with a fraction", ...asking("resourceVersion=1.5"), ...bad },
  { name: "a revision that overflows", ...asking(`resourceVersion=${"9".repeat(40)}`), ...bad },
  {
    name: "an unknown resourceVersionMatch",
    ...asking("resourceVersion=1&resourceVersionMatch=About"),
    ...invalid,
  },
  { name: "a resourceVersionMatch without a revision", ...asking("resourceVersionMatch=Exact"), ...invalid },
  {
    name: "a watch with a resourceVersionMatch alone",
    ...asking("watch=1&resourceVersionMatch=NotOlderThan"),
    ...invalid,
  },
  { name: "a list with initial events", ...asking("sendInitialEvents=true"), ...invalid },
  { name: "a malformed token", ...asking("limit=1&continue=%%%"), ...bad },
  { name: "a token that is no JSON", ...token("nonsense"), ...bad },
  { name: "an empty token", ...token("{}"), ...bad },
  { name: "a token with __proto__", ...token('{"__proto__":{"polluted":true}}'), ...bad },
  { name: "a token into another collection", ...token('{"v":1,"rv":1,"start":"../../secrets/x"}'), ...bad },
  {
    name: "a token that nobody signed",
    ...token('{"v":"trimtab/1","rv":900000000000000,"start":"default/a"}'),
    code: 410,
    reason: "Expired",
    says: /list again/,
  },
  {
    name: "a token with a signature of its own",
    ...token(`{"v":"trimtab/1","rv":5,"start":"default/a","signature":"${"A".repeat(43)}"}`),
    code: 410,
    reason: "Expired",
  },
  { name: "a token and a revision", ...asking("limit=1&continue=e30&resourceVersion=1"), ...bad },
  {
    name: "a grace period that is no number",
    what: `DELETE ${configMaps}/missing?gracePeriodSeconds=x`,
    ...bad,
  },
  {
    name: "an unknown propagation policy",
    what: `DELETE ${configMaps}/missing?propagationPolicy=Sideways`,
    ...invalid,
  },
  {
    name: "a field manager with too long a name",
    what: `POST ${configMaps}?fieldManager=${"m".repeat(200)}`,
    body: '{"metadata":{"name":"x"}}',
    ...invalid,
  },
  {
    name: "a parameter that is repeated a thousand times",
    ...asking("labelSelector=a&".repeat(1000)),
    ...fine,
  },
];
