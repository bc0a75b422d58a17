import { failure } from "../command-failure.ts";
import type { Context } from "../context.ts";

export type DryRunMode = "none" | "client" | "server";

/** Reads `--dry-run`. */
export function dryRunOf(context: Context): DryRunMode {
  const value = context.text("dry-run");
  switch (value) {
    case "":
    case "none":
    case "false":
      return "none";
    case "client":
    case "server":
      return value;
    case "unchanged":
      context.io.err("W0000 --dry-run is deprecated and can be replaced with --dry-run=client.\n");
      return "client";
    default:
      throw failure(`Invalid dry-run value (${value}). Must be "none", "server", or "client".`);
  }
}

/** What is printed behind the result of a dry run. */
export function dryRunSuffix(dryRun: DryRunMode): string {
  if (dryRun === "none") return "";
  return dryRun === "client" ? " (dry run)" : " (server dry run)";
}
