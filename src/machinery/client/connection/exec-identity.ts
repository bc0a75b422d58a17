import { parseTime } from "../../../api/time.ts";
import type { Clock } from "../../clock/clock.ts";
import { Deadline } from "../http/deadline.ts";
import { type ExecCredential, type ExecPlugin, runExecPlugin } from "./exec-plugin.ts";
import type { Identity, IdentitySource } from "./identity.ts";

export interface ExecIdentityOptions {
  readonly plugin: ExecPlugin;
  /** The client certificate of the user entry, used where the plugin has none. */
  readonly own: Pick<Identity, "certificate" | "key">;
  readonly clock: Clock;
  readonly run?: typeof runExecPlugin;
}

/** A plugin may ask the user for a second factor, elsewhere. */
const pluginTimeoutMs = 60_000;
/** A plugin whose credentials are refused is not run for every request. */
const retryMs = 10_000;

/** Credentials of a plugin, kept until they expire or are refused; all requests wait for the same run. */
export function execIdentity(options: ExecIdentityOptions): IdentitySource {
  const { plugin, own, clock, run = runExecPlugin } = options;
  let known: { readonly identity: Identity; readonly until: number; readonly since: number } | undefined;
  let running: Promise<Identity> | undefined;
  const closing = new AbortController();

  const refresh = async (): Promise<Identity> => {
    // Not of the request that happened to come first: others wait for it, too.
    const deadline = new Deadline({
      clock,
      timeoutMs: pluginTimeoutMs,
      parent: closing.signal,
      missed: `the credential plugin ${plugin.command}: no credentials`,
    });
    try {
      const credential = await run(plugin, deadline.signal).catch((error: unknown) => {
        throw deadline.signal.aborted ? deadline.signal.reason : error;
      });
      const until = parseTime(credential.expirationTimestamp) ?? Number.POSITIVE_INFINITY;
      known = { identity: identityIn(credential, own), until, since: clock.now() };
      return known.identity;
    } finally {
      deadline.release();
      running = undefined;
    }
  };

  return {
    async current(signal) {
      if (known !== undefined && clock.now() < known.until) return known.identity;
      return unlessAborted((running ??= refresh()), signal);
    },
    close: () => closing.abort(new Error("the client is closed")),
    refused(identity) {
      if (known === undefined || known.identity !== identity) return true;
      if (clock.now() < known.since + retryMs) return false;
      known = undefined;
      return true;
    },
  };
}

function identityIn({ token, certificate, key }: ExecCredential, own: ExecIdentityOptions["own"]): Identity {
  return {
    ...(certificate === undefined ? own : { certificate, key }),
    authorization: token === undefined ? undefined : `Bearer ${token}`,
  };
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
