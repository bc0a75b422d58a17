import { basename, isAbsolute, resolve } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { execApiVersions, type ExecPlugin } from "./exec-plugin.ts";
import { type KubeconfigEntry, kubeconfigText } from "./kubeconfig-document.ts";

/** The plugin that the `exec` of a user entry names; adds to `errors` what is wrong with it. */
export function execPluginOf(cluster: KubeconfigEntry, user: KubeconfigEntry, errors: string[]): ExecPlugin {
  const body = user.body["exec"];
  const exec = isJsonObject(body) ? body : {};
  const refuse = (why: string) => errors.push(`user "${user.name}": exec: ${why}`);
  const command = kubeconfigText(exec, "command");
  if (command === undefined) refuse("it has no command");
  const apiVersion = kubeconfigText(exec, "apiVersion") ?? "";
  if (!execApiVersions.some((known) => known === apiVersion))
    refuse(`apiVersion ${JSON.stringify(apiVersion)} is not one of ${execApiVersions.join(", ")}`);
  // Controllers run without anybody at a terminal.
  if (kubeconfigText(exec, "interactiveMode") === "Always") refuse("interactiveMode Always needs a terminal");
  return {
    apiVersion,
    command: located(command ?? "", user.folder),
    args: listOf(exec["args"]).filter((each) => typeof each === "string"),
    env: environmentOf(exec["env"]),
    installHint: kubeconfigText(exec, "installHint"),
    cluster: exec["provideClusterInfo"] === true ? clusterInfo(cluster) : undefined,
  };
}

/** As in kubectl, a command with a slash is a path that starts at the kubeconfig; any other is searched for. */
function located(command: string, folder: string): string {
  return isAbsolute(command) || command === basename(command) ? command : resolve(folder, command);
}

function environmentOf(list: Json | undefined): Readonly<Record<string, string>> {
  const pairs = listOf(list)
    .filter(isJsonObject)
    .map((entry) => [kubeconfigText(entry, "name") ?? "", kubeconfigText(entry, "value") ?? ""] as const);
  return Object.fromEntries(pairs.filter(([name]) => name !== ""));
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

const shared = [
  "server",
  "tls-server-name",
  "insecure-skip-tls-verify",
  "certificate-authority-data",
  "proxy-url",
  "disable-compression",
];

/** What a plugin that asks for it is told of the cluster. */
function clusterInfo({ body }: KubeconfigEntry): JsonObject {
  const told = shared.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key]] as const]));
  const config = listOf(body["extensions"])
    .filter(isJsonObject)
    .find((extension) => kubeconfigText(extension, "name") === "client.authentication.k8s.io/exec")?.[
    "extension"
  ];
  return { ...Object.fromEntries(told), ...(config !== undefined && { config }) };
}
