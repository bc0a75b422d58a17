import type { DownscalePodPicker, GRPCPodPicker, HTTPPodPicker } from "../../generated/apps-v1.ts";
import { fillAbsent, fillEmpty, mapMembers } from "../defaulting.ts";
import type { Sent } from "../sent.ts";

type With<T, Key extends keyof T> = T & Required<Pick<T, Key>>;

/** A valid pod picker after its defaults: what they fill in is there. */
export type FilledPicker = With<DownscalePodPicker, "maxRetries" | "timeoutSeconds"> & {
  readonly http?: With<HTTPPodPicker, "path" | "scheme">;
  readonly grpc?: With<GRPCPodPicker, "tls">;
};

/** A pod picker with its defaults: one second for the whole consultation, three retries inside it. */
export function pickerDefaults(picker: Sent<DownscalePodPicker>): Sent<DownscalePodPicker> {
  return mapMembers(fillAbsent(picker, { maxRetries: 3, timeoutSeconds: 1 }), {
    http: (http) => fillEmpty(http, { path: "/", scheme: "HTTP" }),
    grpc: (grpc) => fillAbsent(grpc, { tls: true }),
  });
}
