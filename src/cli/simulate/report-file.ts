import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { messageOf } from "../../api/message-of.ts";
import type { ReportData } from "./report-data.ts";
import { type ReportBundle, reportHtml } from "./report-html.ts";

/** A report that can be written. */
export interface ReportFile {
  /** Replaces what the file had; a sentence where that fails. */
  readonly write: (data: ReportData) => string | undefined;
}

/**
 * Checks that a report can be written, with the script and style in a folder, before anything is run; a sentence
 * where it cannot. A report that is there stays until there is a new one.
 */
export function openReport(file: string, bundleFolder: string): ReportFile | string {
  const sentence = (error: unknown) => `--report ${file}: ${messageOf(error)}`;
  try {
    const isNew = !existsSync(file);
    closeSync(openSync(file, "a"));
    if (isNew) rmSync(file);
  } catch (error) {
    return sentence(error);
  }
  const bundle = readBundle(bundleFolder);
  if (bundle === undefined) return `--report ${file}: the page of reports is not built: run npm run build`;
  return {
    write(data) {
      try {
        writeFileSync(file, reportHtml(data, bundle));
        return undefined;
      } catch (error) {
        return sentence(error);
      }
    },
  };
}

function readBundle(folder: string): ReportBundle | undefined {
  try {
    const read = (name: string) => readFileSync(path.join(folder, name), "utf8");
    return { script: read("report.js"), style: read("report.css") };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
