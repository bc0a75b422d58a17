import { type FieldError, invalid, required } from "../../../../api/field-error.ts";
import { each, type FieldErrors } from "../../../../api/field-checks.ts";
import type { CustomResourceDefinitionNames } from "../../../../api/generated/apiextensions-v1.ts";
import { dns1035LabelProblems } from "../../../../api/names.ts";
import type { Sent } from "../../../../api/sent.ts";

type Names = Sent<CustomResourceDefinitionNames>;

/** Reports names of a kind that are missing. */
export function requireNames(names: Names, path: string): FieldErrors {
  return (["plural", "singular", "kind", "listKind"] as const)
    .filter((name) => (names[name] ?? "") === "")
    .map((name) => required(`${path}.${name}`));
}

/** Reports names of a kind that are malformed. */
export function validateNames(names: Names, path: string): FieldErrors {
  const { plural = "", singular = "", kind = "", listKind = "" } = names;
  const errors: FieldError[] = [
    ...label(plural, `${path}.plural`),
    ...label(singular, `${path}.singular`),
    ...kindLabel(kind, `${path}.kind`),
    ...kindLabel(listKind, `${path}.listKind`),
    ...each(names.shortNames, `${path}.shortNames`, listedLabel),
  ];
  if (kind !== "" && kind === listKind)
    errors.push(invalid(`${path}.listKind`, listKind, "kind and listKind may not be the same"));
  return [...errors, ...each(names.categories, `${path}.categories`, listedLabel)];
}

function label(text: string, path: string): FieldErrors {
  return text === "" ? [] : listedLabel(text, path);
}

function listedLabel(text: string, path: string): FieldErrors {
  const problems = dns1035LabelProblems(text);
  return problems.length === 0 ? [] : [invalid(path, text, problems.join(","))];
}

function kindLabel(text: string, path: string): FieldErrors {
  const problems = text === "" ? [] : dns1035LabelProblems(text.toLowerCase());
  if (problems.length === 0) return [];
  const rule = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
  return [invalid(path, text, rule)];
}
