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

/** What is wrong with queries. */
export const queries: readonly HostileRequest[] = [
  { name: "a selector of thirty thousand parts", ...selecting("a,".repeat(15_000).concat("a")), ...fine },
  { name: "a set of ten thousand", ...selecting(`a in (${"x,".repeat(10_000)}x)`), ...fine },
  { name: "a set that never ends", ...selecting(`a in (${"x,".repeat(10_000)}`), ...bad },
  { name: "brackets upon brackets", ...selecting("(".repeat(20_000)), ...bad },
  { name: "negations upon negations", ...selecting("!".repeat(20_000)), ...bad },
  { name: "a selector with nothing between its commas", ...selecting(",,,"), ...bad },
  { name: "a selector with a key that is none", ...selecting("a/b/c=d"), ...bad },
  { name: "a selector with an operator that is none", ...selecting("a =~ b"), ...bad },
  { name: "a selector with a value that is none", ...selecting("a=$(reboot)"), ...bad },
  { name: "a selector with a letter of no language", ...selecting("a\u0000=b"), ...bad },
  { name: "a comparison with what is no number", ...selecting("a>b"), ...bad },
  { name: "a selector that asks for prototypes", ...selecting("__proto__=x"), ...bad },
  { name: "a selector by nothing", ...selecting("constructor"), ...fine },
  {
    name: "a field nobody selects by",
    ...selecting("data.a=b", "fieldSelector"),
    ...bad,
    says: /not a known field selector|not supported/,
  },
  { name: "a field of prototypes", ...selecting("__proto__.polluted=1", "fieldSelector"), ...bad },
  { name: "a field without a value", ...selecting("metadata.name", "fieldSelector"), ...bad },
  {
    name: "escapes without end",
    ...selecting(`metadata.name=${"\\".repeat(5001)}`, "fieldSelector"),
    ...bad,
  },
  { name: "a limit below zero", ...asking("limit=-1"), ...fine },
  { name: "a limit that is no number", ...asking("limit=many"), ...bad },
  { name: "a limit beyond all numbers", ...asking(`limit=${"9".repeat(100)}`), ...bad },
  { name: "a revision that is no number", ...asking("resourceVersion=latest"), ...bad },
  { name: "a revision below zero", ...asking("resourceVersion=-1"), ...bad },
  { name: "a revision with a fraction", ...asking("resourceVersion=1.5"), ...bad },
  { name: "a revision beyond all numbers", ...asking(`resourceVersion=${"9".repeat(40)}`), ...bad },
  {
    name: "a revision compared in an unknown manner",
    ...asking("resourceVersion=1&resourceVersionMatch=About"),
    ...invalid,
  },
  { name: "a comparison with no revision", ...asking("resourceVersionMatch=Exact"), ...invalid },
  {
    name: "a watch with a comparison and nothing else",
    ...asking("watch=1&resourceVersionMatch=NotOlderThan"),
    ...invalid,
  },
  { name: "a list with initial events", ...asking("sendInitialEvents=true"), ...invalid },
  { name: "a token that is none", ...asking("limit=1&continue=%%%"), ...bad },
  { name: "a token of nonsense", ...token("nonsense"), ...bad },
  { name: "a token of nothing", ...token("{}"), ...bad },
  { name: "a token with prototypes", ...token('{"__proto__":{"polluted":true}}'), ...bad },
  { name: "a token into another collection", ...token('{"v":1,"rv":1,"start":"../../secrets/x"}'), ...bad },
  { name: "a token and a revision", ...asking("limit=1&continue=e30&resourceVersion=1"), ...bad },
  { name: "a grace beyond all numbers", what: `DELETE ${configMaps}/nobody?gracePeriodSeconds=x`, ...bad },
  {
    name: "an unknown way to go",
    what: `DELETE ${configMaps}/nobody?propagationPolicy=Sideways`,
    ...invalid,
  },
  {
    name: "a manager with a name like a novel",
    what: `POST ${configMaps}?fieldManager=${"m".repeat(200)}`,
    body: '{"metadata":{"name":"x"}}',
    ...invalid,
  },
  { name: "a question asked a thousand times", ...asking("labelSelector=a&".repeat(1000)), ...fine },
];
