#!/usr/bin/env bash
# Scales Airflow's workers from six to three while four of them have tasks: ./run.sh. PYTHON is the interpreter, python3 by default.
cd "$(dirname "$0")"
. ../story.sh
python=${PYTHON:-python3}
export PYTHONDONTWRITEBYTECODE=1

# Never the database that the environment may name already.
export AIRFLOW__DATABASE__SQL_ALCHEMY_CONN="sqlite:///$scratch/airflow.db"
if ! has_postgres; then
  echo "database: SQLite, because there is no PostgreSQL server here"
elif ! "$python" -c 'import psycopg' 2>/dev/null; then
  echo "database: SQLite, because psycopg is not installed: pip install -r requirements.txt"
else
  echo "database: PostgreSQL"
  start_postgres airflow
  export AIRFLOW__DATABASE__SQL_ALCHEMY_CONN="$postgres"
fi

start_cluster
start picker "$python" picker.py
deploy worker

# Of six workers two are idle, one has a short task, one has two, one has three, and one has a task that began 5 hours ago.
mapfile -t workers < <(pods worker)
"$python" - "${workers[@]}" <<'END'
import sys
from database import start_tasks

long, idle, three, short, resting, two = sys.argv[1:]
start_tasks([
    ("train_model", long, 5),
    ("load_a", three, 0), ("load_b", three, 0), ("load_c", three, 0),
    ("report", short, 0),
    ("mail_a", two, 0), ("mail_b", two, 0),
])
END

scale_down worker 3
expect_pods worker "${workers[0]}" "${workers[2]}" "${workers[5]}"
echo "the workers with the most to lose have stayed"
