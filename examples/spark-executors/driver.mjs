// Stands for the driver of a Spark application: answers what the picker asks of its REST API from a file.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import process from "node:process";

const [file] = process.argv.slice(2);

const answers = new Map([
  ["/api/v1/applications", () => '[{"id":"app-20260101120000-0000","name":"nightly"}]'],
  ["/api/v1/applications/app-20260101120000-0000/executors", () => readFile(file, "utf8")],
]);

const server = createServer(async (request, response) => {
  const answer = answers.get(new URL(request.url, "http://driver").pathname);
  if (answer === undefined) return response.writeHead(404).end();
  return response.writeHead(200, { "content-type": "application/json" }).end(await answer());
});
server.listen(Number(process.env.PORT), process.env.HOST, () =>
  console.log(`listening on ${server.address().port}`),
);
