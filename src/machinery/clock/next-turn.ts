/**
 * Runs a task in the next turn of the event loop, when every microtask, however deep, has run. Browsers have no
 * `setImmediate` and let timers wait for 4 ms; a message to oneself comes as early as possible.
 */
export const inNextTurn: (task: () => void) => void =
  typeof setImmediate === "function" ? (task) => void setImmediate(task) : messages();

function messages(): (task: () => void) => void {
  const tasks: (() => void)[] = [];
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener("message", () => tasks.shift()?.());
  port1.start();
  return (task) => {
    tasks.push(task);
    port2.postMessage(undefined);
  };
}
