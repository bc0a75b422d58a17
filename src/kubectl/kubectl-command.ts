import type { Context } from "./context.ts";
import type { LineFlags } from "./line/flag.ts";

/** A command of kubectl, or a group of them. */
export interface KubectlCommand {
  readonly summary: string;
  readonly flags?: LineFlags;
  /** Resolves to the exit code; nothing means success. */
  readonly run?: (context: Context) => Promise<number | void>;
  readonly commands?: Readonly<Record<string, KubectlCommand>>;
  readonly aliases?: readonly string[];
  /** What operands are: completion offers types and names, or nodes. */
  readonly operands?: "types-and-names" | "nodes" | "types" | "pods";
}
