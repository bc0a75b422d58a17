import { forbidden, invalid, required } from "../../../../../api/field-error.ts";
import type {
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  Probe,
} from "../../../../../api/generated/core-v1.ts";
import {
  type FieldErrors,
  none,
  nonNegative,
  portNumber,
  portNumberOrName,
  supported,
} from "../../../../../api/field-checks.ts";
import type { Sent } from "../../../../../api/sent.ts";
import { headerNameProblems } from "../../../../../api/value-syntax.ts";

type Handler = Sent<Probe> & Sent<LifecycleHandler>;

type ProbeName = "livenessProbe" | "readinessProbe" | "startupProbe";

/** Validates a probe: only readiness probes may need several successes, only the others may end the container. */
export function validateProbe(probe: Sent<Probe> | undefined, name: ProbeName, path: string): FieldErrors {
  if (probe === undefined) return none;
  const at = `${path}.${name}`;
  return [
    ...validateHandler(probe, at, undefined),
    ...nonNegative(probe.initialDelaySeconds, `${at}.initialDelaySeconds`),
    ...nonNegative(probe.timeoutSeconds, `${at}.timeoutSeconds`),
    ...nonNegative(probe.periodSeconds, `${at}.periodSeconds`),
    ...nonNegative(probe.successThreshold, `${at}.successThreshold`),
    ...nonNegative(probe.failureThreshold, `${at}.failureThreshold`),
    ...validateProbeGrace(probe.terminationGracePeriodSeconds, name, `${at}.terminationGracePeriodSeconds`),
    ...validateSuccesses(probe.successThreshold, name, `${at}.successThreshold`),
  ];
}

function validateProbeGrace(seconds: number | undefined, name: ProbeName, path: string): FieldErrors {
  if (seconds === undefined) return none;
  const short = seconds <= 0 ? [invalid(path, seconds, "must be greater than 0")] : none;
  const senseless =
    name === "readinessProbe" ? [invalid(path, seconds, "must not be set for readinessProbes")] : none;
  return [...short, ...senseless];
}

function validateSuccesses(successes: number | undefined, name: ProbeName, path: string): FieldErrors {
  return name === "readinessProbe" || successes === 1 ? none : [invalid(path, successes ?? 0, "must be 1")];
}

/** Validates the lifecycle hooks of a container; a sleep must fit into the grace period. */
export function validateLifecycle(
  { postStart, preStop }: Sent<Lifecycle>,
  path: string,
  gracePeriodSeconds: number | undefined,
): FieldErrors {
  return [
    ...(postStart === undefined ? none : validateHandler(postStart, `${path}.postStart`, gracePeriodSeconds)),
    ...(preStop === undefined ? none : validateHandler(preStop, `${path}.preStop`, gracePeriodSeconds)),
  ];
}

function validateHandler(
  handler: Handler,
  path: string,
  gracePeriodSeconds: number | undefined,
): FieldErrors {
  const [first, ...others] = handlersOf(handler, path, gracePeriodSeconds);
  if (first === undefined) return [required(path, "must specify a handler type")];
  return [
    ...first.errors,
    ...others.map(({ name }) => forbidden(`${path}.${name}`, "may not specify more than 1 handler type")),
  ];
}

interface FoundHandler {
  readonly name: string;
  readonly errors: FieldErrors;
}

function handlersOf(handler: Handler, path: string, gracePeriodSeconds: number | undefined): FoundHandler[] {
  const found: FoundHandler[] = [];
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  if (exec !== undefined) found.push({ name: "exec", errors: validateExec(exec.command, `${path}.exec`) });
  if (httpGet !== undefined)
    found.push({ name: "httpGet", errors: validateHttpGet(httpGet, `${path}.httpGet`) });
  if (tcpSocket !== undefined)
    found.push({ name: "tcpSocket", errors: portNumberOrName(tcpSocket.port, `${path}.tcpSocket.port`) });
  if (grpc !== undefined) found.push({ name: "grpc", errors: portNumber(grpc.port, `${path}.grpc.port`) });
  if (sleep !== undefined) {
    const errors = validateSleep(sleep.seconds ?? 0, `${path}.sleep`, gracePeriodSeconds);
    found.push({ name: "sleep", errors });
  }
  return found;
}

function validateExec(command: readonly string[] | undefined, path: string): FieldErrors {
  return command === undefined || command.length === 0 ? [required(`${path}.command`)] : none;
}

function validateHttpGet(
  { path: target = "", port, scheme = "", httpHeaders = [] }: Sent<HTTPGetAction>,
  path: string,
): FieldErrors {
  return [
    ...(target === "" ? [required(`${path}.path`)] : none),
    ...portNumberOrName(port, `${path}.port`),
    ...supported(scheme, `${path}.scheme`, ["HTTP", "HTTPS"]),
    ...httpHeaders.flatMap(({ name = "" }) =>
      headerNameProblems(name).map((problem) => invalid(`${path}.httpHeaders`, name, problem)),
    ),
  ];
}

function validateSleep(seconds: number, path: string, gracePeriodSeconds: number | undefined): FieldErrors {
  if (gracePeriodSeconds === undefined || (seconds >= 0 && seconds <= gracePeriodSeconds)) return none;
  const rule = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriodSeconds})`;
  return [invalid(path, seconds, rule)];
}
