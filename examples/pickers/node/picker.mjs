// A pod picker over HTTP with nothing but Node. The kit of trimtab/picker does more in fewer lines: this shows the contract.
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const { TOKEN, HOST, PORT = "8080" } = process.env;
if (!TOKEN) throw new Error("TOKEN is required");

/** How many tasks each Pod has; your application fills it. */
const tasks = new Map();
const tasksOf = (pod) => tasks.get(pod) ?? 0;

function pick({ number_of_pods_requested: requested, candidate_pods: candidates }) {
  const pods = [...candidates].sort((a, b) => tasksOf(a) - tasksOf(b));
  // The Pods below the cut go; those that are equally busy at the cut are tied.
  const cut = pods.length > requested ? tasksOf(pods[requested - 1]) : Infinity;
  return {
    chosen_pods: pods.filter((pod) => tasksOf(pod) < cut),
    tied_pods: pods.filter((pod) => tasksOf(pod) === cut),
  };
}

function isQuestion(value) {
  const { number_of_pods_requested: requested, candidate_pods: candidates } = value ?? {};
  return Number.isInteger(requested) && requested > 0 && Array.isArray(candidates);
}

/** Compares hashes, which have one length, in a time that says nothing about the token. */
function isKnown(authorization = "") {
  const hash = (text) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(authorization), hash(`Bearer ${TOKEN}`));
}

/** The body; nothing if it is not JSON, or if the caller leaves meanwhile. */
async function readJson(request) {
  const chunks = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}

const server = createServer(async (request, response) => {
  const answer = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (request.method !== "POST") return answer(405, { error: "questions are asked with POST" });
  if (!isKnown(request.headers.authorization)) return answer(401, { error: "no token" });
  const question = await readJson(request);
  return isQuestion(question) ? answer(200, pick(question)) : answer(400, { error: "no question" });
});

server.listen(Number(PORT), HOST, () => console.log(`listening on ${server.address().port}`));
process.once("SIGTERM", () => server.close());
