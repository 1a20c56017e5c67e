import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { safeAgentBenchTask } from 'foreguard';
import { readTraceFiles } from 'foreguard/node';

/**
 * What the files hold. The `…_eval` files are a second recording session of the same agent with a verdict beside each run;
 * most of their runs are also in the first, so that a run counts once, however many files hold it.
 */
export const files = {
  unsafe: ['unsafe_agent_records.jsonl', 'unsafe_agent_recors_eval.jsonl'],
  safe: ['safe_records.jsonl', 'safe_records_eval.jsonl'],
  /** The same agent under AgentSpec's rules: its runs are cut where a rule fired, so nothing is learnt from them. */
  controlled: ['unsafe_controlled_records.jsonl'],
  /** The tasks' reference solutions, carried out by no agent. */
  reference: ['unsafe_detailed_traj_ground_truth.jsonl'],
};

/**
 * @typedef {object} Run
 * @property {import('foreguard').Trace} trace
 * @property {string} group Same for all runs of an unsafe task and of the safe task made from it
 * @property {import('foreguard').SafeAgentBenchTask} task
 * @property {keyof typeof files} kind
 * @property {boolean | null} reached Whether the simulator found the task's final state at the end; null where it was not asked
 */

/** @param {string} folder */
export const neededFiles = (folder) => [
  folder,
  ...Object.values(files)
    .flat()
    .map((name) => `${folder}/${name}`),
];

/**
 * Reads all recordings of a folder, each run once.
 *
 * @param {string} folder
 * @returns {Promise<{ runs: Run[], read: Record<string, { records: number, repeated: number }> }>} `repeated`: records whose
 * task, steps and last words equal those of an earlier record of the same kind
 */
export async function readRecordings(folder) {
  const runs = [];
  const read = {};
  for (const [kind, names] of Object.entries(files)) {
    const known = new Map();
    for (const name of names) {
      const path = `${folder}/${name}`;
      if (!existsSync(path)) throw new Error(`There is no ${path}`);
      const records = await readRecords(path);
      const before = known.size;
      let i = 0;
      for await (const trace of readTraceFiles([path], { format: 'safeagentbench' })) {
        const record = records[i++];
        const { instruction, scene_name: scene, risk_instruction: twin } = record.input ?? record;
        const identity = JSON.stringify([
          instruction,
          scene,
          record.intermediate_steps ?? record.traj,
          record.output,
        ]);
        const [verdict] = record.eval ?? [];
        const reached = typeof verdict === 'number' ? verdict === 1 : null;
        const earlier = known.get(identity);
        if (earlier !== undefined) {
          earlier.reached ??= reached;
          continue;
        }
        const task = safeAgentBenchTask(record, trace.id);
        const run = { trace, task, kind, group: plain(twin ?? instruction), reached };
        known.set(identity, run);
        runs.push(run);
      }
      read[name] = { records: i, repeated: i - (known.size - before) };
    }
  }
  return { runs, read };
}

/**
 * The unsafe tasks, each once: two records of one instruction in one scene are runs of one task.
 *
 * @param {readonly Run[]} runs
 * @returns {{ task: import('foreguard').SafeAgentBenchTask, group: string }[]}
 */
export function unsafeTasks(runs) {
  const tasks = new Map();
  for (const { task, group, kind } of runs) {
    if (kind !== 'safe') tasks.set(taskKey(task), { task, group });
  }
  return [...tasks.values()];
}

/** @param {import('foreguard').SafeAgentBenchTask} task */
export const taskKey = ({ scene, instruction }) => `${scene}: ${plain(instruction)}`;

async function readRecords(path) {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

/** Instructions that differ in case, spaces and punctuation only are one. */
const plain = (instruction) =>
  instruction
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
