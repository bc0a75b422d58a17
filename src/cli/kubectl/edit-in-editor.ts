import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Lets the user change a text in `$KUBE_EDITOR`, `$EDITOR` or vi, as kubectl does. Throws if the editor fails. */
export function editInEditor(text: string, env: NodeJS.ProcessEnv): string {
  const editor = env["KUBE_EDITOR"] ?? env["EDITOR"] ?? "vi";
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-edit-"));
  const file = path.join(folder, "edit.yaml");
  try {
    writeFileSync(file, text, { mode: 0o600 });
    // The variable may have flags, so a shell reads it; the file has a name of ours.
    const { status, error } = spawnSync(`${editor} "${file}"`, { shell: true, stdio: "inherit" });
    if (error !== undefined || status !== 0)
      throw new Error(`there was a problem with the editor ${JSON.stringify(editor)}`);
    return readFileSync(file, "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
