"""Runs statements in a session of Spark with two worker processes: one JSON text a line in, a JSON list of rows a line out."""

import json
import os
import sys

from pyspark.sql import SparkSession

# Spark's processes write to standard output, too.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

spark = (
    SparkSession.builder.master("local-cluster[2,1,1024]")
    .appName("foreguard")
    .config("spark.ui.enabled", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.executor.memory", "512m")
    .config("spark.sql.shuffle.partitions", "4")
    .config("spark.sql.ansi.enabled", sys.argv[1])
    .getOrCreate()
)


def answer(value):
    answers.write(json.dumps(value) + "\n")
    answers.flush()


executors = spark.sparkContext._jsc.sc().getExecutorMemoryStatus
while executors().size() < 3:
    spark.sparkContext.parallelize(range(8), 8).count()
answer({"version": spark.version, "workers": executors().size() - 1})
for line in sys.stdin:
    try:
        answer([row.asDict() for row in spark.sql(json.loads(line)).collect()])
    except Exception as error:
        answer({"error": str(error)[:2000]})
spark.stop()
