import type { PageMessage, WorkerMessage } from "../messages.ts";
import { QuestionServer } from "./serve-questions.ts";

/** What a worker has, which the types of a page do not say. */
interface WorkerScope {
  postMessage(message: WorkerMessage): void;
  addEventListener(type: "message", listener: (message: MessageEvent<PageMessage>) => void): void;
}

const scope = globalThis as unknown as WorkerScope;
const server = new QuestionServer(scope);
scope.addEventListener("message", ({ data }) => server.take(data));
