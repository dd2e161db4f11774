/// A scheduler or build server that passes each of its jobs an index.
struct Engine: Sendable {
  let name: String
  /// The variable with the job's index.
  let index: String
  let first: Int
  /// The variable with the number of jobs, if it is reliable.
  ///
  /// Slurm's variable counts the jobs of one `sbatch` call, which is not the total when a range is
  /// submitted again; Kubernetes has no such variable.
  var total: String?
  /// A variable that must also be set, or the index belongs to another engine.
  ///
  /// GitLab counts CI_NODE_INDEX from 1; others that set it count from 0.
  var needs: String?

  func isThere(_ environment: [String: String]) -> Bool {
    environment[index] != nil && needs.map { environment[$0] != nil } ?? true
  }

  /// All engines in the order of precedence: a runner inside another engine's job comes first.
  static let all: [Engine] = [
    Engine(name: "ZOOMBENCH_SHARD", index: "ZOOMBENCH_SHARD", first: 1, total: "ZOOMBENCH_SHARDS"),
    Engine(
      name: "Bazel", index: "TEST_SHARD_INDEX", first: 0, total: "TEST_TOTAL_SHARDS"),
    Engine(name: "Slurm", index: "SLURM_ARRAY_TASK_ID", first: 1),
    Engine(
      name: "AWS Batch", index: "AWS_BATCH_JOB_ARRAY_INDEX", first: 0,
      total: "AWS_BATCH_JOB_ARRAY_SIZE"),
    Engine(
      name: "Cloud Run", index: "CLOUD_RUN_TASK_INDEX", first: 0, total: "CLOUD_RUN_TASK_COUNT"),
    Engine(name: "Kubernetes", index: "JOB_COMPLETION_INDEX", first: 0),
    Engine(
      name: "GitLab", index: "CI_NODE_INDEX", first: 1, total: "CI_NODE_TOTAL", needs: "GITLAB_CI"),
    Engine(
      name: "CircleCI", index: "CIRCLE_NODE_INDEX", first: 0, total: "CIRCLE_NODE_TOTAL"),
    Engine(
      name: "Buildkite", index: "BUILDKITE_PARALLEL_JOB", first: 0,
      total: "BUILDKITE_PARALLEL_JOB_COUNT"),
    Engine(
      name: "Azure Pipelines", index: "SYSTEM_JOBPOSITIONINPHASE", first: 1,
      total: "SYSTEM_TOTALJOBSINPHASE"),
    Engine(
      name: "Bitbucket", index: "BITBUCKET_PARALLEL_STEP", first: 0,
      total: "BITBUCKET_PARALLEL_STEP_COUNT"),
    Engine(name: "Grid Engine", index: "SGE_TASK_ID", first: 1, total: "SGE_TASK_LAST"),
    Engine(name: "LSF", index: "LSB_JOBINDEX", first: 1),
    Engine(name: "PBS", index: "PBS_ARRAY_INDEX", first: 1),
    Engine(name: "GNU parallel", index: "PARALLEL_SEQ", first: 1),
  ]
}
