import { reading } from "../cost/cost-rule.ts";
import { bool, list, map, opaque, string } from "../types/cel-type.ts";
import { CelError, type CelValue, listOf, type Opaque } from "../values/cel-value.ts";
import { LiteralMap } from "../values/literal-map.ts";
import { type CelFunction, form, instanceOf, method, text } from "./overload.ts";

const typeName = "kubernetes.URL";
const type = opaque(typeName);

interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/** An absolute URL or an absolute path. */
class UrlValue implements Opaque {
  readonly kind = "opaque";
  readonly typeName = typeName;
  readonly size = 1;
  readonly text: string;
  readonly parts: UrlParts;

  constructor(text: string, parts: UrlParts) {
    this.text = text;
    this.parts = parts;
  }

  equals(other: Opaque): boolean {
    return other instanceof UrlValue && this.text === other.text;
  }
}

const url = instanceOf(type, UrlValue);

/** Takes a URL apart as Go does; unlike the class `URL` of JavaScript, it normalizes nothing. */
function readUrl(value: string): UrlValue | undefined {
  if (hasStrayCharacter(value)) return undefined;
  const match = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?]*))?([^?]*)(?:\?(.*))?/s.exec(value);
  if (match === null) return undefined;
  const [, scheme = "", authority = "", path = "", query = ""] = match;
  if (scheme === "" && !value.startsWith("/")) return undefined;
  const host = authority.replace(/^.*@/s, "");
  return isHost(host) ? new UrlValue(value, { scheme: scheme.toLowerCase(), host, path, query }) : undefined;
}

function hasStrayCharacter(value: string): boolean {
  const [path = ""] = value.split("?", 1);
  // oxlint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f]/.test(value) || /%(?![0-9a-fA-F]{2})/.test(path);
}

function isHost(host: string): boolean {
  return /^(?:\[[0-9a-fA-F:.%]+\]|[^\s[\]<>"^`{}|\\:]*)(?::\d*)?$/.test(host);
}

function urlIn(value: string): CelValue {
  const found = readUrl(value);
  if (found !== undefined) return found;
  const shown = JSON.stringify(value);
  return new CelError(
    `URL parse error during conversion from string: parse ${shown}: invalid URI for request`,
  );
}

function hostName({ parts: { host } }: UrlValue): string {
  return host.startsWith("[") ? host.slice(1, host.indexOf("]")) : host.replace(/:\d*$/, "");
}

function port({ parts: { host } }: UrlValue): string {
  return /:(\d*)$/.exec(host.replace(/^\[.*\]/, ""))?.[1] ?? "";
}

function queryOf({ parts: { query } }: UrlValue): CelValue {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query))
    values.set(name, [...(values.get(name) ?? []), value]);
  const made = new LiteralMap();
  for (const [name, texts] of values) made.add(name, listOf(texts));
  return made;
}

const getters: Readonly<Record<string, (url: UrlValue) => string>> = {
  getScheme: ({ parts }) => parts.scheme,
  getHost: ({ parts }) => parts.host,
  getHostname: hostName,
  getPort: port,
  getEscapedPath: ({ parts }) => parts.path,
};

/** The library of URLs. */
export const urlFunctions: readonly CelFunction[] = [
  {
    name: "url",
    overloads: [
      form({ id: "string_to_url", takes: [text], gives: type, cost: reading(0, { keepsSize: true }) }, urlIn),
    ],
  },
  {
    name: "isURL",
    overloads: [
      form({ id: "is_url_string", takes: [text], gives: bool }, (value) => readUrl(value) !== undefined),
    ],
  },
  ...Object.entries(getters).map(([name, get]) => ({
    name,
    overloads: [method({ id: `url_${name}`, takes: [url], gives: string }, get)],
  })),
  {
    name: "getQuery",
    overloads: [method({ id: "url_get_query", takes: [url], gives: map(string, list(string)) }, queryOf)],
  },
];
