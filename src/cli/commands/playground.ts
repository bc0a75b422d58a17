import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { messageOf } from "../../api/message-of.ts";
import { pinoLogger } from "../../machinery/log/pino-logger.ts";
import { startPlaygroundServer } from "../../page/playground-server.ts";
import { type Command, reportErrors, untilInterrupted } from "../command.ts";
import { numberProblems, ports } from "../flags/program-flags.ts";
import { playgroundFolder } from "../installed-package.ts";

export const playground: Command = {
  name: "playground",
  summary: "A whole cluster in a browser tab: stories, time that can be stopped, manifests, a terminal.",
  flags: {
    port: {
      type: "string",
      default: "0",
      value: "PORT",
      help: "Port of the playground, on 127.0.0.1; 0: any free port",
    },
  },
  async run({ flags }, terminal) {
    const problems = numberProblems(flags, "port", ports);
    if (problems.length > 0) return reportErrors(terminal, playground, problems);
    const clock = new WallClock();
    try {
      const server = await startPlaygroundServer({
        port: Number(flags["port"]),
        folder: playgroundFolder(),
        clock,
        log: pinoLogger({ level: "info", clock }),
      });
      terminal.out(`Open ${server.url} in a browser. The cluster runs in the page; Ctrl-C ends its server.`);
      await untilInterrupted(terminal, () => server.url);
      await server.close();
      return 0;
    } catch (error) {
      return reportErrors(terminal, playground, [messageOf(error)]); // the boundary of the command
    }
  },
};
