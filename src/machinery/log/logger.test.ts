import { expect, test } from "vitest";
import { collectingLogger } from "../../testing/collecting-logger.ts";
import { ApiError } from "../client/api-error.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { loggableFields } from "./log-fields.ts";
import { type LogLevel, silentLogger } from "./logger.ts";
import { pinoLogger } from "./pino-logger.ts";

function logged(level: LogLevel) {
  const lines: string[] = [];
  const log = pinoLogger({
    level,
    clock: new VirtualClock(),
    destination: { write: (line) => lines.push(line) },
  });
  return { log, lines: () => lines.map((line): unknown => JSON.parse(line)) };
}

test("a line has its level, the clock's time, its fields and a constant message", () => {
  const { log, lines } = logged("info");
  log.debug("not shown");
  log.info("ready");
  log
    .with({ controller: "replicaset" })
    .with({ pod: "web-1" })
    .warn("deleted pod", { because: { rule: "not-ready" } });
  const time = "2026-01-01T00:00:00.000000Z";
  expect(lines()).toEqual([
    { level: "info", time, msg: "ready" },
    {
      level: "warn",
      time,
      controller: "replicaset",
      pod: "web-1",
      because: { rule: "not-ready" },
      msg: "deleted pod",
    },
  ]);
});

test("an error is logged as its message and those of its causes, at level debug with a stack", () => {
  const error = new Error("cannot list pods", { cause: new ApiError({ message: "no such server" }) });
  const atInfo = logged("info");
  atInfo.log.error("watch failed", { error });
  expect(atInfo.lines()).toMatchObject([{ error: "cannot list pods: no such server" }]);
  const atDebug = logged("debug");
  atDebug.log.error("watch failed", { error });
  expect(atDebug.lines()).toMatchObject([
    {
      error: {
        message: "cannot list pods: no such server",
        stack: expect.stringContaining("logger.test.ts"),
      },
    },
  ]);
});

test.for([
  { name: "an authorization header", fields: { headers: { Authorization: "Bearer hunter2" } } },
  { name: "a token", fields: { connection: { credential: { type: "token", token: "hunter2" } } } },
  { name: "a bearer token in a text", fields: { text: "curl -H 'Authorization: Bearer hunter2'" } },
  { name: "a bearer token in an error", fields: { error: new Error("sent Bearer hunter2") } },
  { name: "a Secret", fields: { object: { kind: "Secret", data: { password: "x", key: "hunter2" } } } },
  {
    name: "a Secret in a list",
    fields: { items: [{ kind: "Secret", stringData: { key: "hunter2" }, metadata: {} }] },
  },
  {
    name: "what kubectl last applied to a Secret",
    fields: { secret: { kind: "Secret", metadata: { name: "s", annotations: { last: "hunter2" } } } },
  },
])("$name is not logged", ({ fields }) => {
  for (const stacks of [true, false])
    expect(JSON.stringify(loggableFields(fields, { stacks }))).not.toContain("hunter2");
});

test("which Secret it is may be logged", () => {
  const secret = { kind: "Secret", metadata: { namespace: "games", name: "s", uid: "u" }, data: {} };
  expect(loggableFields({ secret }, { stacks: false })).toEqual({
    secret: { kind: "Secret", namespace: "games", name: "s" },
  });
});

test("whatever the fields hold, a line can be written", () => {
  const circle: Record<string, unknown> = { big: 2n ** 64n, run: () => 1, nothing: null, missing: undefined };
  circle["self"] = circle;
  const { log, lines } = logged("info");
  log.info("odd", { circle });
  expect(lines()).toMatchObject([
    { circle: { big: "18446744073709551616", nothing: null, self: { nothing: null } } },
  ]);
});

test("loggers for tests remember what they are told, or forget it", () => {
  const log = collectingLogger();
  log.with({ a: 1 }).error("failed", { b: 2 });
  expect(log.entries).toEqual([{ level: "error", message: "failed", fields: { a: 1, b: 2 } }]);
  expect(silentLogger.with({}).info("x")).toBeUndefined();
});
