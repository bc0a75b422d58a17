import { apiResources, apiVersionsCommand } from "./commands/api-resources.ts";
import { apply } from "./commands/apply.ts";
import { cordon, uncordon } from "./commands/cordon.ts";
import { create, replace, runPod } from "./commands/create.ts";
import { deleteCommand } from "./commands/delete.ts";
import { describe } from "./commands/describe.ts";
import { drain } from "./commands/drain.ts";
import { edit } from "./commands/edit.ts";
import { explain } from "./commands/explain.ts";
import { get } from "./commands/get.ts";
import { annotate, label } from "./commands/label.ts";
import { logs } from "./commands/logs.ts";
import { patch } from "./commands/patch.ts";
import { rollout } from "./commands/rollout.ts";
import { scale } from "./commands/scale.ts";
import { set } from "./commands/set.ts";
import { taint } from "./commands/taint.ts";
import { top } from "./commands/top.ts";
import { version } from "./commands/version.ts";
import { wait } from "./commands/wait.ts";
import type { KubectlCommand } from "./kubectl-command.ts";

/** Every command, by its name. */
export const commands: Readonly<Record<string, KubectlCommand>> = {
  create,
  run: runPod,
  set,
  get,
  delete: deleteCommand,
  rollout,
  scale,
  cordon,
  uncordon,
  drain,
  taint,
  describe,
  explain,
  logs,
  top,
  wait,
  edit,
  apply,
  patch,
  replace,
  label,
  annotate,
  "api-resources": apiResources,
  "api-versions": apiVersionsCommand,
  version,
};
