import { compareText } from "../../api/compare-text.ts";
import type { Json, JsonObject } from "../../api/json.ts";
import { at, listAt, mapAt, numberAt, textAt } from "../selection/kube-object.ts";
import { environmentFromLines, environmentLines } from "./describe-environment.ts";
import { amountText, boolText, byKey, type Lines, describedTime } from "./describe-lines.ts";

/** Containers of a Pod or of a template. */
export interface Containers {
  readonly title: string;
  readonly containers: readonly JsonObject[];
  /** Absent in a template. */
  readonly statuses?: readonly JsonObject[];
  /** Absent in a template. */
  readonly pod?: JsonObject;
}

/** Describes containers; those of a template are indented. */
export function containerLines({ title, containers, statuses = [], pod }: Containers): Lines {
  const [space, nameIndent] = pod === undefined ? ["  ", " "] : ["", ""];
  const described = containers.flatMap((container) => {
    const status = statuses.find((each) => each["name"] === container["name"]);
    return [`  ${nameIndent}${textAt(container, "name")}:`, ...oneContainer(container, status, pod)];
  });
  return [`${space}${title}:${containers.length === 0 ? " <none>" : ""}`, ...described];
}

function oneContainer(
  container: JsonObject,
  status: JsonObject | undefined,
  pod: JsonObject | undefined,
): Lines {
  return [
    ...(status === undefined ? [] : [`    Container ID:\t${textAt(status, "containerID")}`]),
    `    Image:\t${textAt(container, "image")}`,
    ...(status === undefined ? [] : [`    Image ID:\t${textAt(status, "imageID")}`]),
    portLine("Port", listAt(container, "ports"), "containerPort"),
    portLine("Host Port", listAt(container, "ports"), "hostPort"),
    ...wordLines("Command", at(container, "command")),
    ...wordLines("Args", at(container, "args")),
    ...(status === undefined ? [] : statusLines(status)),
    ...resourceLines(at(container, "resources")),
    ...["Liveness", "Readiness", "Startup"].flatMap((name) => probeLines(name, container)),
    ...environmentFromLines(container),
    ...environmentLines(container, pod),
    ...mountLines(container),
  ];
}

function portLine(title: string, ports: readonly JsonObject[], field: string): string {
  const text = ports.map((port) => `${numberAt(port, field) ?? 0}/${textAt(port, "protocol")}`).join(", ");
  return text.includes(",") ? `    ${title}s:\t${text}` : `    ${title}:\t${text === "" ? "<none>" : text}`;
}

function wordLines(title: string, words: Json | undefined): Lines {
  if (!Array.isArray(words) || words.length === 0) return [];
  return [
    `    ${title}:`,
    ...(words as readonly string[]).flatMap((word) => word.split("\n").map((line) => `      ${line}`)),
  ];
}

/** Limits and requests, indented for a container. */
export function resourceLines(resources: Json | undefined): Lines {
  return ["Limits", "Requests"].flatMap((title) => {
    const amounts = Object.entries(mapAt(resources, title.toLowerCase())).toSorted(byKey);
    if (amounts.length === 0) return [];
    return [`    ${title}:`, ...amounts.map(([name, amount]) => `      ${name}:\t${amountText(amount)}`)];
  });
}

function statusLines(status: JsonObject): Lines {
  const last = at(status, "lastState");
  return [
    ...stateLines("State", at(status, "state")),
    ...(at(last, "terminated") === undefined ? [] : stateLines("Last State", last)),
    `    Ready:\t${boolText(status["ready"])}`,
    `    Restart Count:\t${numberAt(status, "restartCount") ?? 0}`,
  ];
}

function stateLines(title: string, state: Json | undefined): Lines {
  const running = at(state, "running");
  if (running !== undefined)
    return [`    ${title}:\tRunning`, `      Started:\t${describedTime(at(running, "startedAt"))}`];
  const terminated = at(state, "terminated");
  if (terminated !== undefined) return [`    ${title}:\tTerminated`, ...terminatedLines(terminated)];
  const reason = textAt(state, "waiting", "reason");
  return [`    ${title}:\tWaiting`, ...(reason === "" ? [] : [`      Reason:\t${reason}`])];
}

function terminatedLines(terminated: Json): Lines {
  const filled = (title: string, text: string) => (text === "" ? [] : [`      ${title}:\t${text}`]);
  return [
    ...filled("Reason", textAt(terminated, "reason")),
    ...filled("Message", textAt(terminated, "message")),
    `      Exit Code:\t${numberAt(terminated, "exitCode") ?? 0}`,
    ...filled("Signal", textAt(terminated, "signal")),
    `      Started:\t${describedTime(at(terminated, "startedAt"))}`,
    `      Finished:\t${describedTime(at(terminated, "finishedAt"))}`,
  ];
}

function probeLines(title: string, container: JsonObject): Lines {
  const probe = at(container, `${title.toLowerCase()}Probe`);
  return probe === undefined ? [] : [`    ${title}:\t${probeText(probe)}`];
}

function probeText(probe: Json): string {
  const number = (name: string) => numberAt(probe, name) ?? 0;
  const attributes = `delay=${number("initialDelaySeconds")}s timeout=${number("timeoutSeconds")}s period=${number("periodSeconds")}s #success=${number("successThreshold")} #failure=${number("failureThreshold")}`;
  return `${probedText(probe)} ${attributes}`;
}

function probedText(probe: Json): string {
  const [exec, http, tcp, grpc] = [
    at(probe, "exec"),
    at(probe, "httpGet"),
    at(probe, "tcpSocket"),
    at(probe, "grpc"),
  ];
  if (exec !== undefined) return `exec [${((at(exec, "command") ?? []) as readonly string[]).join(" ")}]`;
  if (http !== undefined)
    return `http-get ${textAt(http, "scheme").toLowerCase()}://${textAt(http, "host")}:${textAt(http, "port")}${textAt(http, "path")}`;
  if (tcp !== undefined) return `tcp-socket ${textAt(tcp, "host")}:${textAt(tcp, "port")}`;
  return grpc === undefined ? "unknown" : `grpc <pod>:${textAt(grpc, "port")} ${textAt(grpc, "service")}`;
}

function mountLines(container: JsonObject): Lines {
  const mounts = listAt(container, "volumeMounts").toSorted((one, other) =>
    compareText(textAt(one, "mountPath"), textAt(other, "mountPath")),
  );
  const devices = listAt(container, "volumeDevices");
  return [
    `    Mounts:${mounts.length === 0 ? "\t<none>" : ""}`,
    ...mounts.map(
      (mount) => `      ${textAt(mount, "mountPath")} from ${textAt(mount, "name")} (${mountFlags(mount)})`,
    ),
    ...(devices.length === 0 ? [] : [`    Devices:${mounts.length === 0 ? "\t<none>" : ""}`]),
    ...devices.map((device) => `      ${textAt(device, "devicePath")} from ${textAt(device, "name")}`),
  ];
}

function mountFlags(mount: JsonObject): string {
  const path = textAt(mount, "subPath");
  return [
    mount["readOnly"] === true ? "ro" : "rw",
    ...(path === "" ? [] : [`path=${JSON.stringify(path)}`]),
  ].join(",");
}
