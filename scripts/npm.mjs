// How npm and npx are started: on Windows they are .cmd files, which Node starts only by a shell, that would read every argument again.
import path from "node:path";

const folder = path.join(path.dirname(process.execPath), "node_modules/npm/bin");
const started = (name) =>
  process.platform === "win32" ? [process.execPath, path.join(folder, `${name}-cli.js`)] : [name];

/** The program, and what comes before its arguments. */
export const [npm, ...npmWords] = started("npm");
export const [npx, ...npxWords] = started("npx");
