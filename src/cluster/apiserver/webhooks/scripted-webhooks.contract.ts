import type { Json, JsonObject } from "../../../api/json.ts";
import { startTestApiServer, type TestApiServer } from "../api-server-fixture.contract.ts";
import type { ApiServerOptions } from "../create-api-server.ts";
import type { WebhookTransport } from "./webhook-transport.ts";

/** The request of an AdmissionReview, as far as tests read it. */
export interface SentReview {
  readonly uid: string;
  readonly kind: JsonObject;
  readonly resource: JsonObject;
  readonly requestKind: JsonObject;
  readonly requestResource: JsonObject;
  readonly subResource?: string;
  readonly operation: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly userInfo: JsonObject;
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly dryRun: boolean;
  readonly options: JsonObject;
}

/** Members of the response besides its uid, a text that is sent as it is, or nothing for a plain yes. */
export type WebhookScript = (
  review: SentReview,
) => JsonObject | string | undefined | Promise<JsonObject | undefined>;

/** An API server whose webhooks are functions, by the paths of their URLs. */
export interface ScriptedWebhooks extends TestApiServer {
  /** What each webhook was sent, by path. */
  readonly sent: (path: string) => readonly SentReview[];
  /** Registers a webhook at `https://127.0.0.1/path`; returns the response to the creation of its configuration. */
  readonly register: (type: "mutating" | "validating", path: string, webhook?: JsonObject) => Promise<number>;
}

/** A response that patches the object. */
export function patching(...operations: readonly JsonObject[]): JsonObject {
  const patch = Buffer.from(JSON.stringify(operations)).toString("base64");
  return { allowed: true, patchType: "JSONPatch", patch };
}

/** Starts an API server in virtual time with scripted webhooks. */
export async function startScriptedWebhooks(
  scripts: Readonly<Record<string, WebhookScript>>,
  options: Partial<ApiServerOptions> = {},
): Promise<ScriptedWebhooks> {
  const log = new Map<string, SentReview[]>();
  const webhookTransport: WebhookTransport = {
    async call({ clientConfig, body }) {
      const path = new URL(clientConfig.url ?? "").pathname.slice(1);
      const { request } = JSON.parse(body) as { readonly request: SentReview };
      log.set(path, [...(log.get(path) ?? []), request]);
      const script = scripts[path];
      if (script === undefined) return { ok: false, why: "connection refused" };
      const answer = await script(request);
      if (typeof answer === "string") return { ok: true, statusCode: 200, body: answer };
      const response = { uid: request.uid, allowed: true, ...answer };
      const review = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response };
      return { ok: true, statusCode: 200, body: JSON.stringify(review) };
    },
  };
  const fixture = await startTestApiServer({ webhookTransport, ...options });
  return {
    ...fixture,
    sent: (path) => log.get(path) ?? [],
    async register(type, path, webhook = {}) {
      const { code } = await fixture.request(
        `POST /apis/admissionregistration.k8s.io/v1/${type}webhookconfigurations`,
        configurationOf(type, path, webhook),
      );
      return code;
    },
  };
}

const everything: Json = [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] }];

/** A configuration of one webhook that is asked about everything, unless `webhook` says otherwise. */
export function configurationOf(type: string, path: string, webhook: JsonObject = {}): JsonObject {
  return {
    metadata: { name: `${type}-${path}` },
    webhooks: [
      {
        name: `${path}.example.com`,
        clientConfig: { url: `https://127.0.0.1/${path}` },
        rules: everything,
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        ...webhook,
      },
    ],
  };
}
