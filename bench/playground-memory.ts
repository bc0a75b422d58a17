import { existsSync, readFileSync } from "node:fs";
import type { Browser, CDPSession } from "playwright-core";
import type { Measure } from "./measure.ts";

/**
 * What a page with 1,000 Pods takes while they roll, above an empty page; `rolling` opens it and ends while they do. Without a
 * trace, whose buffers are in the same process.
 */
export async function memoryOfPage(
  browser: Browser,
  rolling: () => Promise<{ readonly session: CDPSession; readonly close: () => Promise<void> }>,
): Promise<readonly Measure[]> {
  const blank = await browser.newPage();
  const blankMb = await rendererMb(browser);
  const { session, close } = await rolling();
  const usedMb = (await rendererMb(browser)) - blankMb;
  const threads = await threadsOf(session);
  for (const send of threads) await send("HeapProfiler.collectGarbage");
  const liveMb = (await rendererMb(browser)) - blankMb;
  const heaps = await Promise.all(threads.map((send) => send("Runtime.getHeapUsage")));
  await close();
  await blank.close();
  return [
    {
      what: "memory of its process then, above an empty page",
      value: usedMb,
      unit: "MB",
      bar: 150,
    },
    { what: "the same, once garbage is collected", value: liveMb, unit: "MB", bar: 150 },
    {
      what: "of that, objects and code of the page and its worker",
      value: heaps.reduce((sum, { usedSize = 0 }) => sum + usedSize, 0) / 1e6,
      unit: "MB",
    },
  ];
}

/** The memory of a browser's largest process of pages, with their workers, as Linux counts it without files; elsewhere not known. */
async function rendererMb(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const kilobytes = processInfo
    .filter(({ type }) => type === "renderer")
    .map(({ id }) => `/proc/${id}/status`)
    .map((file) =>
      existsSync(file) ? Number(/RssAnon:\s+([0-9]+)/.exec(readFileSync(file, "utf8"))?.[1]) : Number.NaN,
    );
  return Math.max(...kilobytes) / 1000;
}

interface HeapUsage {
  readonly usedSize?: number;
}

/** Sends a question to the debugger of a thread. */
type Ask = (method: "HeapProfiler.collectGarbage" | "Runtime.getHeapUsage") => Promise<HeapUsage>;

/** The page and its workers. */
async function threadsOf(session: CDPSession): Promise<readonly Ask[]> {
  const workers: string[] = [];
  session.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
    if (targetInfo.type === "worker") workers.push(sessionId);
  });
  await session.send("Target.setAutoAttach", {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: false,
  });
  return [(method) => session.send(method), ...workers.map((worker) => askWorker(session, worker))];
}

function askWorker(session: CDPSession, sessionId: string): Ask {
  let id = 0;
  return (method) => {
    const asked = ++id;
    const answer = new Promise<HeapUsage>((resolve) =>
      session.on("Target.receivedMessageFromTarget", (received) => {
        const message = JSON.parse(received.message) as { readonly id?: number; readonly result?: HeapUsage };
        if (received.sessionId === sessionId && message.id === asked) resolve(message.result ?? {});
      }),
    );
    return session
      .send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id: asked, method }) })
      .then(() => answer);
  };
}
