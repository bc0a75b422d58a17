import path from "node:path";
import { packageFolder } from "../package-folder.ts";

/** The folder of the bundle of the page. */
export function pageFolder(): string {
  return builtFolder("ui");
}

/** The folder of the script and the style of reports. */
export function reportFolder(): string {
  return builtFolder("report");
}

function builtFolder(name: string): string {
  return path.join(packageFolder(), "dist", name);
}
