// An API server over a data directory, as a process that can be killed. It prints how to reach it. With the word `later` it
// waits for a line before it opens the directory, which another process may have until then.
import { once } from "node:events";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import { messageOf } from "../../src/api/message-of.ts";
import { namespaces } from "../../src/api/resources.ts";
import { createApiServer } from "../../src/cluster/apiserver/create-api-server.ts";
import { openDataDirectory } from "../../src/cluster/data-directory/open-data-directory.ts";
import { isAlreadyExists } from "../../src/machinery/client/api-error.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { systemRandom } from "../../src/machinery/random/system-random.ts";

const [folder = "", when = "now"] = process.argv.slice(2);
const clock = new WallClock();
const random = systemRandom();
if (when === "later") await once(process.stdin, "data");
try {
  const { store, authority, token } = await openDataDirectory(folder, { clock, random });
  const gates = () => defaultFeatureGates;
  const server = createApiServer({ clock, random, store, gates, log: silentLogger, token });
  await server.client
    .create(namespaces, { metadata: { name: "default" }, spec: {} })
    .catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  const { url, ca } = await server.listen({ port: 0, authority });
  process.stdout.write(`${JSON.stringify({ url, ca, token })}\n`);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}
