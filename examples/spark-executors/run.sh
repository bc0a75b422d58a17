#!/usr/bin/env bash
# Scales Spark's workers from six to four and to two in the middle of a job: ./run.sh
cd "$(dirname "$0")"
. ../story.sh

start_cluster
start driver node driver.mjs "$scratch/executors.json"
export SPARK_UI="http://127.0.0.1:$port"
start picker node picker.mjs
deploy spark-worker

# executor POD ACTIVE COMPLETED MILLISECONDS SHUFFLE: as Spark's REST API shows it.
executor() {
  printf '{"id":"%s","attributes":{"POD_NAME":"%s"},"activeTasks":%d,"completedTasks":%d,"totalDuration":%d,"totalShuffleWrite":%d}' \
    "$1" "$@"
}
mapfile -t workers < <(pods spark-worker)
{
  echo '[{"id":"driver","attributes":{},"activeTasks":0,"completedTasks":0,"totalDuration":0,"totalShuffleWrite":0}'
  echo ",$(executor "${workers[0]}" 0 90 540000 0)"          # idle; what it wrote is in the object store
  echo ",$(executor "${workers[1]}" 0 80 480000 2147483648)" # idle, but 8 minutes of work are in its shuffle files
  echo ",$(executor "${workers[2]}" 2 60 360000 0)"          # two tasks of 6 s
  echo ",$(executor "${workers[3]}" 1 4 960000 0)"           # one task of 4 minutes
  echo ",$(executor "${workers[4]}" 4 70 420000 0)"          # four tasks of 6 s
  echo ']' # the sixth worker has no executor
} >"$scratch/executors.json"

scale_down spark-worker 4
expect_pods spark-worker "${workers[@]:1:4}"
echo "the workers without tasks and shuffle data have gone"

scale_down spark-worker 2
expect_pods spark-worker "${workers[1]}" "${workers[3]}"
echo "the long task and the shuffle data have stayed"
