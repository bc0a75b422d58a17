import { type NameProblems, syntaxProblem } from "./names.ts";

const keyPattern = "[-._a-zA-Z0-9]+";
const keySyntax = new RegExp(`^${keyPattern}$`);

/** A key in the data of a ConfigMap or Secret, which becomes a file name. */
export function dataKeyProblems(key: string): NameProblems {
  const problems: string[] = [];
  if (key.length > 253) problems.push("must be no more than 253 characters");
  if (!keySyntax.test(key)) {
    const rule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    problems.push(syntaxProblem(rule, keyPattern, ["key.name", "KEY_NAME", "key-name"]));
  }
  return [...problems, ...parentDirectoryProblems(key)];
}

function parentDirectoryProblems(name: string): NameProblems {
  if (name === "." || name === "..") return [`must not be '${name}'`];
  return name.startsWith("..") ? ["must not start with '..'"] : [];
}

/** The name of an environment variable: printable ASCII without `=`. */
export function envNameProblems(name: string): NameProblems {
  if (/^[ -<>-~]*$/.test(name)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

const headerPattern = "[-A-Za-z0-9]+";
const headerSyntax = new RegExp(`^${headerPattern}$`);

/** The name of an HTTP header. */
export function headerNameProblems(name: string): NameProblems {
  if (headerSyntax.test(name)) return [];
  const rule = "a valid HTTP header must consist of alphanumeric characters or '-'";
  return [syntaxProblem(rule, headerPattern, ["X-Header-Name"])];
}

const percentPattern = "[0-9]+%";
const percentSyntax = new RegExp(`^${percentPattern}$`);

/** A percentage. */
export function percentProblems(text: string): NameProblems {
  if (percentSyntax.test(text)) return [];
  const rule = "a valid percent string must be a numeric string followed by an ending '%'";
  return [syntaxProblem(rule, percentPattern, ["1%", "93%"])];
}

/** A path that stays inside the directory it starts in. */
export function descendingPathProblems(path: string): NameProblems {
  const absolute = path.startsWith("/") ? ["must be a relative path"] : [];
  return [...absolute, ...backstepProblems(path)];
}

/** A path without `..` segments. */
export function backstepProblems(path: string): NameProblems {
  return path.split("/").includes("..") ? ["must not contain '..'"] : [];
}

/** The path of a file in a volume: it stays inside the volume and does not start with `..`. */
export function volumeFileProblems(path: string): NameProblems {
  const reserved = path.startsWith("..") && !path.startsWith("../") && path !== "..";
  return [...descendingPathProblems(path), ...(reserved ? ["must not start with '..'"] : [])];
}

/** The size of a text in UTF-8: Kubernetes' limits are in bytes. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // Either half of a surrogate pair stands for two of the pair's four bytes.
    bytes += unit < 0x800 || isSurrogate(unit) ? 1 : 2;
  }
  return bytes;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
