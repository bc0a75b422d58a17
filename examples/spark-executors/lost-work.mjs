/** How many milliseconds of work would be lost with each Pod, by the REST API of the driver of every running application. */
export async function lostWork(sparkUi, signal) {
  const get = async (path) => {
    const response = await fetch(new URL(`/api/v1/${path}`, sparkUi), { signal });
    if (!response.ok) throw new Error(`Spark answered ${response.status} to ${path}`);
    return response.json();
  };
  const applications = await get("applications?status=running");
  const executors = await Promise.all(applications.map(({ id }) => get(`applications/${id}/executors`)));
  const lost = new Map();
  for (const executor of executors.flat()) {
    // Spark shows the variable SPARK_EXECUTOR_ATTRIBUTE_POD_NAME of an executor as an attribute. The driver has none.
    const pod = executor.attributes?.POD_NAME;
    if (pod !== undefined) lost.set(pod, (lost.get(pod) ?? 0) + lostWith(executor));
  }
  return lost;
}

/** Running tasks start anew elsewhere; if there is shuffle data, the tasks that wrote it run once more. */
function lostWith({ activeTasks, completedTasks, totalDuration, totalShuffleWrite }) {
  const usualTask = completedTasks > 0 ? totalDuration / completedTasks : 1000;
  return activeTasks * usualTask + (totalShuffleWrite > 0 ? totalDuration : 0);
}
