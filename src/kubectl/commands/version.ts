import { failure } from "../command-failure.ts";
import { say } from "../context.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { goYaml } from "../output/go-yaml.ts";
import { typedJson } from "../output/go-json.ts";
import { textAt } from "../selection/kube-object.ts";

/** The kubectl whose outputs this one prints. */
export const clientVersion = { major: "1", minor: "33", gitVersion: "v1.33.1" };
const kustomizeVersion = "v5.6.0";

/** `kubectl version`. */
export const version: KubectlCommand = {
  summary: "Print the client and server version information",
  flags: {
    client: { type: "boolean" },
    output: { type: "string", short: "o", choices: ["json", "yaml"] },
  },
  async run(context) {
    const output = context.text("output");
    if (!["", "json", "yaml"].includes(output)) throw failure("--output must be 'yaml' or 'json'");
    const server = context.isOn("client") ? undefined : await context.server.get("/version");
    const versions = {
      clientVersion,
      kustomizeVersion,
      ...(server !== undefined && { serverVersion: server }),
    };
    if (output === "json") say(context, typedJson(versions, 2));
    else if (output === "yaml") say(context, goYaml(versions));
    else {
      say(context, `Client Version: ${clientVersion.gitVersion}`);
      say(context, `Kustomize Version: ${kustomizeVersion}`);
      if (server !== undefined) say(context, `Server Version: ${textAt(server, "gitVersion")}`);
    }
    const [major, minor] = [textAt(server, "major"), textAt(server, "minor")];
    const isFar = Math.abs(Number.parseInt(minor, 10) - Number(clientVersion.minor)) > 1;
    if (server !== undefined && output === "" && isFar)
      context.io.err(
        `WARNING: version difference between client (${clientVersion.major}.${clientVersion.minor}) and server (${major}.${minor}) exceeds the supported minor version skew of +/-1\n`,
      );
  },
};
