import type { Command } from "./command.ts";
import { completionOf } from "./commands/completion.ts";
import { controllers } from "./commands/controllers.ts";
import { example } from "./commands/example.ts";
import { explain } from "./commands/explain.ts";
import { install } from "./commands/install.ts";
import { list } from "./commands/list.ts";
import { picker } from "./commands/picker.ts";
import { page } from "./commands/page.ts";
import { reset } from "./commands/reset.ts";
import { scheduler } from "./commands/scheduler.ts";
import { simulate } from "./commands/simulate.ts";
import { snapshot } from "./commands/snapshot.ts";
import { status } from "./commands/status.ts";
import { steer } from "./commands/steer.ts";
import { stop } from "./commands/stop.ts";
import { time } from "./commands/time.ts";
import { uninstall } from "./commands/uninstall.ts";
import { up } from "./commands/up.ts";
import { version } from "./commands/version.ts";
import { whatif } from "./commands/whatif.ts";

/** Every command, in the order help shows them. */
export const commands: readonly Command[] = [
  up,
  list,
  status,
  stop,
  reset,
  time,
  page,
  explain,
  whatif,
  snapshot,
  simulate,
  controllers,
  scheduler,
  steer,
  install,
  uninstall,
  picker,
  example,
  completionOf(() => commands),
  version,
];
