// The pod picker of a Spark cluster: workers whose executors would lose the least work go first.
import process from "node:process";
import { createPicker } from "trimtab/picker";
import { lostWork } from "./lost-work.mjs";

const { SPARK_UI = "http://spark-driver:4040", TOKEN, HOST, PORT = "8443" } = process.env;
const { TLS_CERT_FILE: certificateFile, TLS_KEY_FILE: keyFile } = process.env;

const picker = createPicker({
  async pick(request) {
    const lost = await lostWork(SPARK_UI, request.signal);
    return request.lowest((pod) => lost.get(pod) ?? 0); // a worker without executors has nothing to lose
  },
  token: TOKEN,
  tokenHeader: "x-picker-token",
  timeoutMs: 9000, // less than timeoutSeconds in manifests.yaml
});

const host = HOST === undefined ? {} : { host: HOST };
const { url } = await picker.listen({ httpPort: Number(PORT), tls: { certificateFile, keyFile }, ...host });
console.log(`listening on ${new URL(url).port}`);
process.once("SIGTERM", () => picker.stop());
