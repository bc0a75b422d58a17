import type { Context } from "../context.ts";
import { say } from "../context.ts";
import { type DryRunMode, dryRunSuffix } from "../line/dry-run.ts";
import { type KubeObject, nameText } from "../selection/kube-object.ts";
import type { ObjectPrinter } from "./object-printer.ts";

/** Prints what happened to an object, or the object with `-o`. */
export function reportChange(
  context: Context,
  object: KubeObject,
  {
    done,
    dryRun,
    printer,
  }: { readonly done: string; readonly dryRun: DryRunMode; readonly printer?: ObjectPrinter | undefined },
): void {
  if (printer === undefined) say(context, `${nameText(object)} ${done}${dryRunSuffix(dryRun)}`);
  else context.io.out(printer(object));
}
