import { type Instant, parseTime } from "../../../api/time.ts";
import type { Clock } from "../../clock/clock.ts";
import { Deadline } from "../http/deadline.ts";
import type { Identity, IdentitySource } from "./identity.ts";
import { type ExecCredential, type ExecPlugin, runExecPlugin } from "./exec-plugin.ts";

/** An identity and when it expires; absent: not before the server refuses it. */
export interface ExpiringIdentity {
  readonly identity: Identity;
  readonly expires: Instant | undefined;
}

export interface RenewedIdentityOptions {
  readonly clock: Clock;
  /** Used before anything is renewed; absent: the first request waits for a renewal. */
  readonly initial?: ExpiringIdentity | undefined;
  readonly renew: (signal: AbortSignal) => Promise<ExpiringIdentity>;
  /** Begins the error message, before "within 60 s". */
  readonly missed: string;
}

/** Long, because a plugin may ask the user for a second factor. */
const renewalTimeoutMs = 60_000;
/** The pause after a failed renewal or a refused new credential, so that not every request asks for another one. */
const retryMs = 10_000;

interface Known {
  readonly identity: Identity;
  readonly until: Instant;
  readonly since: Instant;
}

interface Failure {
  readonly error: unknown;
  readonly until: Instant;
}

/** Keeps an identity until it expires or is refused; concurrent requests share one renewal. */
export function renewedIdentity({ clock, initial, renew, missed }: RenewedIdentityOptions): IdentitySource {
  const knownFrom = ({ identity, expires = Number.POSITIVE_INFINITY }: ExpiringIdentity, since: Instant) => ({
    identity,
    until: expires,
    since,
  });
  let known: Known | undefined = initial && knownFrom(initial, Number.NEGATIVE_INFINITY);
  let failure: Failure | undefined;
  let running: Promise<Identity> | undefined;
  const closing = new AbortController();

  const refresh = async (): Promise<Identity> => {
    // Has its own deadline, since other requests wait for the same renewal.
    const deadline = new Deadline({ clock, timeoutMs: renewalTimeoutMs, parent: closing.signal, missed });
    try {
      const renewed = await renew(deadline.signal).catch((error: unknown) => {
        throw deadline.signal.aborted ? deadline.signal.reason : error; // the timeout says more
      });
      known = knownFrom(renewed, clock.now());
      return known.identity;
    } catch (error) {
      failure = { error, until: clock.now() + retryMs }; // kept for the requests until then
      throw error;
    } finally {
      deadline.release();
      running = undefined;
    }
  };

  return {
    async current(request) {
      if (known !== undefined && clock.now() < known.until) return known.identity;
      if (failure !== undefined && clock.now() < failure.until) throw failure.error;
      return unlessAborted((running ??= refresh()), request.signal);
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

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

interface ExecIdentityOptions {
  readonly plugin: ExecPlugin;
  /** The client certificate of the user entry, used where the plugin has none. */
  readonly own: Pick<Identity, "certificate" | "key">;
  readonly clock: Clock;
  readonly run?: typeof runExecPlugin;
}

/** Credentials of a plugin, which is run again when they expire or are refused. */
export function execIdentity(options: ExecIdentityOptions): IdentitySource {
  const { plugin, own, clock, run = runExecPlugin } = options;
  return renewedIdentity({
    clock,
    missed: `the credential plugin ${plugin.command}: no credentials`,
    async renew(signal) {
      const credential = await run(plugin, signal);
      return { identity: identityIn(credential, own), expires: parseTime(credential.expirationTimestamp) };
    },
  });
}

function identityIn({ token, certificate, key }: ExecCredential, own: ExecIdentityOptions["own"]): Identity {
  return {
    ...(certificate === undefined ? own : { certificate, key }),
    authorization: token === undefined ? undefined : `Bearer ${token}`,
  };
}
