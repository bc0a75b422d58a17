import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { messageOf } from "../../api/message-of.ts";
import { pinoLogger } from "../../machinery/log/pino-logger.ts";
import { startPlaygroundServer } from "../../page/playground-server.ts";
import { type Command, reportErrors, untilInterrupted } from "../command.ts";
import { flagText } from "../flags/flag-values.ts";
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
    story: {
      type: "string",
      value: "NAME",
      help: "The story it begins with, such as own-picker; docs/playground.md names them",
    },
  },
  async run({ flags }, terminal) {
    const story = flagText(flags, "story");
    const problems = [
      ...numberProblems(flags, "port", ports),
      ...(/^[\w-]*$/.test(story) ? [] : [`--story needs the name of a story, not ${JSON.stringify(story)}`]),
    ];
    if (problems.length > 0) return reportErrors(terminal, playground, problems);
    const clock = new WallClock();
    try {
      const server = await startPlaygroundServer({
        port: Number(flags["port"]),
        folder: playgroundFolder(),
        clock,
        log: pinoLogger({ level: "info", clock }),
      });
      terminal.out(
        `Open ${server.url}${story === "" ? "" : `/#story=${story}`} in a browser. The cluster runs in the page; Ctrl-C ends its server.`,
      );
      await untilInterrupted(terminal, () => server.url);
      await server.close();
      return 0;
    } catch (error) {
      return reportErrors(terminal, playground, [messageOf(error)]); // the boundary of the command
    }
  },
};
