import { openWithoutHttp } from "../../../src/cluster/apiserver/open-without-http.ts";
import type { OpenRequest } from "../../../src/machinery/client/http/transport.ts";
import type { PlaySession } from "./play-session.ts";

/** Sends requests to the API server of this worker. */
export const openIn = (session: PlaySession): OpenRequest =>
  openWithoutHttp(session.started.cluster.api, "browser/any");
