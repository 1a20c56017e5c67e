// Whether the abstractions of this repository are good enough: which states depend on history, which predicates would help or
// could go. The output is the same every time; docs/results/markov.md says what it shows and what not.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSpecification } from 'foreguard';
import { readTraceFiles } from 'foreguard/node';
import { diagnoseAbstraction } from 'foreguard/study';
import { driveTrace, drivingScenarios } from 'foreguard-worlds';
import { progress } from '../household/terminal.mjs';
import { dataArgument, runExample } from '../measures/dataArgument.mjs';
import { readRecordings } from '../safeagentbench/recordings.mjs';
import { handWritten } from '../safeagentbench/specifications.mjs';
import { airlineSpecification, readConversations } from '../tau-bench/conversations.mjs';

const drives = 1000;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const specificationAt = (path) => parseSpecification(readFileSync(here(path), 'utf8'), { source: path });

function print(name, { traces, steps, order, risks, rates, suggestions, predicates }) {
  progress('');
  const dependent = order.states.filter((state) => state.dependent);
  console.log(
    `\n${name}: ${traces} runs, ${steps} steps; ${dependent.length} of ${order.tested} states tested depend on the state before (${order.untested} not tested, ${((1 - order.testedShare) * 100).toFixed(1)}% of steps)`,
  );
  for (const { description, draws, adjusted, variation, variationByChance, effects } of dependent) {
    console.log(
      `  ${description}: left ${draws} times, p = ${adjusted.toPrecision(2)}, ${variation.toFixed(2)} apart (${variationByChance.toFixed(2)} by chance)`,
    );
    for (const { after, draws: seen, next } of effects.slice(0, 2)) {
      console.log(
        `    after ${after} (${seen}): ${next.state} in ${next.share.toFixed(2)}, otherwise in ${next.otherwise.toFixed(2)}`,
      );
    }
  }
  for (const { rule, start, shifts } of risks) {
    if (start === null || shifts.length === 0) continue;
    const [{ description, after, draws, firstOrder, secondOrder }] = shifts;
    console.log(
      `  ${rule}: at the start ${start.firstOrder.upper.toFixed(3)}, with histories ${start.secondOrder.upper.toFixed(3)}; most in ${description} after ${after} (${draws}): ${firstOrder.upper.toFixed(3)}, ${secondOrder.upper.toFixed(3)}`,
    );
  }
  for (const { rule, predicted, violations, runs, unknown, observed, disagrees } of rates ?? []) {
    console.log(
      `  ${rule}: predicted ${predicted.upper.toFixed(3)}, observed ${violations} of ${runs} (${observed.confidenceLower.toFixed(3)} to ${observed.confidenceUpper.toFixed(3)}${unknown > 0 ? `, ${unknown} cut` : ''})${disagrees ? ': they disagree' : ''}`,
    );
  }
  if (rates === null) console.log('  predicted against observed: too few runs');
  for (const { rule, suggestions: found, rejected } of suggestions.targets) {
    for (const { name: given, expression, heldOut, splits } of found) {
      const [{ description, outcome }] = splits;
      console.log(
        `  add for ${rule ?? 'the next state'}: ${given ?? expression} (${heldOut.gainBits.toFixed(4)} bits a step, p = ${heldOut.pValue}); in ${description}: ${outcome.name} ${outcome.ifTrue.toFixed(2)} where it holds, ${outcome.ifFalse.toFixed(2)} where not`,
      );
    }
    if (found.length === 0) {
      console.log(
        `  add for ${rule ?? 'the next state'}: nothing (${rejected === null ? `of ${suggestions.candidates} none tells more` : `${rejected.name ?? rejected.expression}: p = ${rejected.heldOut.pValue}`})`,
      );
    }
  }
  for (const { name: predicate, verdict, evidence } of predicates) {
    if (evidence === null) continue;
    const { compared, overlapping, merged, within, supported, foretells, largestChange } = evidence;
    console.log(
      `  ${predicate}: ${verdict} (${overlapping} of ${compared} overlap, ${within} of ${merged} within, change ${largestChange.toFixed(3)}, supported ${(100 * supported).toFixed(0)}%, foretells ${foretells.gainBits.toFixed(4)}, p = ${foretells.pValue})`,
    );
  }
}

await runExample(async () => {
  const { data } = dataArgument('node examples/abstraction/main.mjs --data ../shared/data', (path) => [path]);

  const { runs } = await readRecordings(`${data}/safeagentbench`);
  const agentRuns = runs.filter(({ kind }) => kind === 'unsafe' || kind === 'safe');
  const groups = new Map(agentRuns.map(({ trace, group }) => [trace.id, group]));
  const hazards = handWritten();
  for (const { hazard, specification } of hazards) {
    progress(hazard);
    const pool = hazards
      .filter((other) => other.hazard !== hazard)
      .flatMap((other) =>
        other.specification.abstraction.predicates.map(({ name, expression }) => ({
          name: `${other.hazard}.${name}`,
          expression,
        })),
      );
    const options = { pool, groupOf: (id) => groups.get(id) };
    print(
      `SafeAgentBench, ${hazard}`,
      await diagnoseAbstraction(
        specification,
        agentRuns.map(({ trace }) => trace),
        options,
      ),
    );
  }

  progress('tau-bench');
  const conversations = await readConversations(`${data}/tau-bench/gpt-4o-airline.json`);
  print(
    'tau-bench, airline',
    await diagnoseAbstraction(
      airlineSpecification(),
      conversations.map(({ trace }) => trace),
      { groupOf: (id) => id.split('-trial-')[0] },
    ),
  );

  const folder = '../household/specifications/';
  for (const file of readdirSync(here(folder)).sort()) {
    const task = file.replace('.yaml', '');
    progress(task);
    const traces = readTraceFiles([here(`../household/traces/${task}.jsonl.gz`)]);
    print(`household, ${task}`, await diagnoseAbstraction(specificationAt(folder + file), traces));
  }

  progress('driving');
  const scenario = drivingScenarios.find(({ name }) => name === 'red-light-in-snow');
  const traces = Array.from({ length: drives }, (_, seed) => driveTrace(scenario, { seed }));
  print(
    'driving, red light in snow',
    await diagnoseAbstraction(specificationAt('../driving-guard/vehicle.yaml'), traces),
  );
});
