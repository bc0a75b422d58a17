import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { collectingLogger } from "../../testing/collecting-logger.ts";
import { createPicker } from "./create-picker.ts";

const host = "127.0.0.1";

test("callers that never finish a request are disconnected", async () => {
  const picker = createPicker({ score: () => 0, log: collectingLogger() });
  onTestFinished(() => picker.stop());
  const both = await picker.listen({ port: 0, host });
  const http = await picker.listen({ httpPort: 0, host });
  const begun = [
    "",
    "P",
    "POST / HTTP/1.1\r\nHost: ",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{",
  ];
  const ports = [both, http].map(({ url = "" }) => Number(new URL(url).port));
  const closed = ports.flatMap((port) =>
    begun.map(async (text) => {
      const socket = connect(port, host).on("error", () => undefined); // a reset is an end as well
      const over = new Promise<void>((resolve) => socket.resume().once("close", () => resolve()));
      await once(socket, "connect");
      if (text !== "") socket.write(text);
      return over;
    }),
  );
  // By the limits of the kit: 10 s for the head, and the time limit of the answer for the body.
  await Promise.all(closed);
  expect((await fetch(`http://${host}:${ports[0]}/readyz`)).status).toBe(200);
});
