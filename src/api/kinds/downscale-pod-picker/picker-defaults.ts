import type { DownscalePodPicker } from "../../generated/apps-v1.ts";
import { fillAbsent, fillEmpty, mapMembers } from "../filling.ts";
import type { Sent } from "../sent.ts";

/** A pod picker with its defaults: one second for the whole consultation, three retries inside it. */
export function pickerDefaults(picker: Sent<DownscalePodPicker>): Sent<DownscalePodPicker> {
  return mapMembers(fillAbsent(picker, { maxRetries: 3, timeoutSeconds: 1 }), {
    http: (http) => fillEmpty(http, { path: "/", scheme: "HTTP" }),
    grpc: (grpc) => fillAbsent(grpc, { tls: true }),
  });
}
