import { buildConnector, type Dispatcher, Pool } from "undici";
import { ConcurrencyLimiter } from "../../../picker/concurrency-limiter.ts";
import { callFailure, maxResponseBytes } from "./call-failure.ts";
import { resolveTarget, type TargetResolver, type WebhookTarget } from "./webhook-target.ts";
import type { WebhookCall, WebhookReply, WebhookTransport } from "./webhook-transport.ts";

/** Limits concurrent calls; further calls wait, within their timeouts. */
const callLimits = { total: 128, perKey: 32 };
/** Limits how many webhooks keep connections. */
const maxPools = 64;
/** The longest timeout of a webhook, after which an abandoned connection attempt ends. */
const connectTimeoutMs = 30_000;

const deadlineExceeded = "context deadline exceeded";

/** Calls webhooks over HTTPS: a POST of JSON, on connections that are reused, without redirects, cookies or proxies. */
export function httpsWebhookTransport(resolver: TargetResolver): WebhookTransport {
  const limiter = new ConcurrencyLimiter(callLimits);
  const pools = new Map<string, Pool>();
  const poolFor = (target: WebhookTarget, caBundle: string): Pool => {
    const key = `${target.dial.address} ${target.dial.port} ${target.serverName} ${caBundle}`;
    const known = pools.get(key);
    if (known !== undefined) return known;
    const [oldest] = pools.keys();
    if (oldest !== undefined && pools.size >= maxPools) {
      void pools.get(oldest)?.close();
      pools.delete(oldest);
    }
    const pool = connectTo(target, caBundle);
    pools.set(key, pool);
    return pool;
  };
  return {
    async call(call) {
      const resolved = await unlessAborted(
        resolveTarget(call.clientConfig, resolver, call.signal),
        call.signal,
      );
      if (resolved === undefined) return { ok: false, why: `its address: ${deadlineExceeded}` };
      if (!resolved.ok) return resolved;
      const { target } = resolved;
      const failed = (why: string): WebhookReply => ({
        ok: false,
        why: `Post "${target.url}?timeout=${call.timeoutSeconds}s": ${why}`,
      });
      const release = await limiter.acquire(target.url, call.signal);
      if (release === undefined) return failed(deadlineExceeded);
      try {
        return await exchange(poolFor(target, call.clientConfig.caBundle ?? ""), target, call);
      } catch (error) {
        // The HTTP library throws for every failure of a call.
        return failed(call.signal.aborted ? deadlineExceeded : callFailure(error, target));
      } finally {
        release();
      }
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

/** Returns the result, or `undefined` when the signal aborts first: a lookup that hangs cannot be interrupted. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  return Promise.race([work, aborted]);
}

/** Connects to the address that was checked; the host name is not resolved again. */
function connectTo({ url, serverName, dial }: WebhookTarget, caBundle: string): Pool {
  const ca = Buffer.from(caBundle, "base64").toString("utf8");
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    minVersion: "TLSv1.2",
    // As in Go, whose clients believe every certificate of a bundle, also one that is the server's own.
    ...(ca !== "" && { ca: [ca], allowPartialTrustChain: true }),
  });
  return new Pool(new URL(url).origin, {
    connections: callLimits.perKey,
    connect: (options, callback) =>
      connect(
        { ...options, hostname: dial.address, port: String(dial.port), servername: serverName },
        callback,
      ),
    // The caller enforces the timeout, with the injected clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: maxResponseBytes,
  });
}

async function exchange(pool: Pool, { url }: WebhookTarget, call: WebhookCall): Promise<WebhookReply> {
  const { body, timeoutSeconds, signal } = call;
  const response = await pool.request({
    method: "POST",
    path: `${new URL(url).pathname}?timeout=${timeoutSeconds}s`,
    headers: {
      "content-type": "application/json",
      accept: "application/json, */*",
      "accept-encoding": "identity",
      "user-agent": "kube-apiserver-admission",
    },
    body,
    signal,
  });
  return readReply(response);
}

async function readReply({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<WebhookReply> {
  body.on("error", () => undefined); // an error event without a listener would end the process
  const encoding = String(headers["content-encoding"] ?? "identity");
  if (encoding !== "identity") {
    body.destroy();
    return { ok: false, why: `the response is encoded as ${encoding}, which was not asked for` };
  }
  return { ok: true, statusCode, body: await body.text() };
}
