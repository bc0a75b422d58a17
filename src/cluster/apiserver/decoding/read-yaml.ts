import { base64Bytes } from "../../../api/base64.ts";
import { utf8Text } from "../../../api/bytes.ts";
import type { ScalarTag, Tags } from "yaml";
import { mostValues, type ParsedJson } from "../../../api/parse-json.ts";
import type { YamlLimits } from "../../../machinery/yaml/yaml-limits.ts";
import { parseYaml, type PlacedProblem, type YamlDocument } from "../../../machinery/yaml/parse-yaml.ts";

/**
 * Reads only the first YAML document of a text as a JSON value, as Kubernetes does; the last of repeated keys counts.
 * Where the text has to be `single`, further documents are an error.
 */
export function readYaml(text: string, documents: "first" | "single" = "first"): ParsedJson {
  const parsed = parseYaml(text, { ...likeKubernetes, documents, limits: limitsOf(text) });
  if (!parsed.ok) return { ok: false, error: errorOf(parsed.problems[0]) };
  const [document] = parsed.documents;
  if (document === undefined) return { ok: true, value: null, duplicates: [] };
  return { ok: true, value: document.value, duplicates: document.repeatedKeys.map(repeatedKey) };
}

function errorOf({ message, at }: PlacedProblem): string {
  return at === undefined ? message : `invalid YAML: line ${at.line}: ${message}`;
}

/** Every text may have this many tokens: about eight thousand lines. */
const fewTokens = 50_000;
/** A longer text may have one token for this many bytes; published definitions have five bytes or more per token. */
const bytesPerToken = 4;
/** The most tokens of any text: the parser blocks the event loop, and needs a second for this many. */
const mostTokens = 300_000;

/** Limits the cost of parsing the YAML of one request, by its length. */
function limitsOf({ length }: string): YamlLimits {
  return {
    ...bodyLimits,
    tokens: Math.min(mostTokens, Math.max(fewTokens, Math.floor(length / bytesPerToken))),
  };
}

const bodyLimits: YamlLimits = {
  aliases: 100,
  // The limits of JSON bodies, which aliases must not multiply.
  length: 3 * 1024 * 1024,
  values: mostValues,
};

/** Types that Kubernetes' parser leaves as the text they are written in. */
const textTags: ReadonlySet<string> = new Set(
  ["omap", "pairs", "set", "timestamp"].map((name) => `tag:yaml.org,2002:${name}`),
);
const isTextTag = (tag: Tags[number]) =>
  typeof tag === "object" && (textTags.has(tag.tag) || ("format" in tag && tag.format === "TIME"));

/** `0o644`, an octal number of YAML 1.2, which Kubernetes' parser also reads. */
export const octalTag: ScalarTag = {
  default: true,
  tag: "tag:yaml.org,2002:int",
  test: /^[-+]?0o[0-7][0-7_]*$/i,
  resolve: (text) => Number.parseInt(text.replace(/o|_/gi, ""), 8),
};

/** `!!binary aGk=` is the text `hi`. */
const binaryTag: ScalarTag = {
  tag: "tag:yaml.org,2002:binary",
  resolve: (text) => utf8Text(base64Bytes(text)),
};

/** YAML 1.1, as Kubernetes reads it: `0644` is octal, `yes` is true, `<<` merges. */
const likeKubernetes = {
  version: "1.1",
  allowRepeatedKeys: true,
  customTags: (tags: Tags) => [binaryTag, ...tags.filter((tag) => !isTextTag(tag)), octalTag],
} as const;

/** Returns `line 3: key "a" already set in map` for a key that a mapping repeats. */
function repeatedKey({ key, at }: YamlDocument["repeatedKeys"][number]): string {
  return `line ${at.line}: key ${JSON.stringify(key)} already set in map`;
}

/** Joins YAML errors into one, as Kubernetes reports them. */
export function yamlErrors(errors: readonly string[]): string {
  return ["yaml: unmarshal errors:", ...errors.map((error) => `  ${error}`)].join("\n");
}
