import { isJsonObject, type Json } from "../../../api/json.ts";
import type { Connection } from "./connection.ts";
import { type KubeconfigEntry, textAt } from "./kubeconfig-document.ts";

/** The headers by which a user entry impersonates another user: `as` and its companions; `undefined` without them. */
export function impersonationOf({ body }: KubeconfigEntry): Connection["impersonation"] {
  const [name, uid, groups] = [textAt(body, "as"), textAt(body, "as-uid"), textsOf(body["as-groups"])];
  const extra = isJsonObject(body["as-user-extra"]) ? body["as-user-extra"] : {};
  const headers: Record<string, string | readonly string[]> = {
    ...(name !== undefined && { "impersonate-user": name }),
    ...(uid !== undefined && { "impersonate-uid": uid }),
    ...(groups.length > 0 && { "impersonate-group": groups }),
  };
  for (const [key, values] of Object.entries(extra))
    headers[`impersonate-extra-${encodeURIComponent(key).toLowerCase()}`] = textsOf(values);
  return Object.keys(headers).length === 0 ? undefined : headers;
}

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
