import { readFileSync } from "node:fs";

/** The text of a file, or why it cannot be read, to be shown after "path: ". */
export type TextFile =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly missing: boolean; readonly reason: string };

/** Reads a text file; a parameter so that tests need no disk. */
export type ReadTextFile = (path: string) => TextFile;

/** Reads from disk, or from a file descriptor; for small files at startup. */
export const readTextFile = (path: string | number): TextFile => {
  try {
    return { ok: true, text: readFileSync(path, "utf8") };
  } catch (error) {
    return { ok: false, ...reasonOf(error) }; // how `node:fs` reports a missing file or permission
  }
};

function reasonOf(error: unknown): { missing: boolean; reason: string } {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "ENOENT":
      return { missing: true, reason: "no such file" };
    case "EACCES":
      return { missing: false, reason: "permission denied" };
    case "EISDIR":
      return { missing: false, reason: "is a directory" };
    default:
      return { missing: false, reason: `cannot be read (${code === "" ? String(error) : code})` };
  }
}
