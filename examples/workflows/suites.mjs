import { readFileSync } from 'node:fs';
import { clopperPearsonInterval } from 'foreguard/study';
import { readContracts, readPlan, verifyPlan } from 'foreguard/workflow';
import { lift } from './lift.mjs';

/** The suites of AgentDojo that are shared. */
export const SUITES = ['banking', 'slack', 'workspace'];

/** The suites of AgentDyn, of which there are recorded runs and no right calls. */
export const FURTHER_SUITES = ['shopping', 'github', 'dailylife'];

/** The contracts of a suite's tools. */
export function contractsOf(suite) {
  const source = `${suite}.yaml`;
  return readContracts(readFileSync(new URL(source, import.meta.url), 'utf8'), { source });
}

/** `lift`, with the few values that arguments of contracts have. */
export function liftUnder(contracts, task) {
  return lift(task, (tool, argument) => {
    const type = contracts.tools.get(tool)?.arguments.get(argument)?.type;
    return type?.kind === 'text' && type.values ? { enum: [...type.values] } : null;
  });
}

/** Proves a plan whose author is not trusted; the user's words are. */
export function proofOf(plan, contracts, words) {
  return verifyPlan(readPlan(plan), contracts, { label: { integrity: 'untrusted', words } });
}

/** The calls of a plan about which a person is asked: `tool.argument`, or the tool where it is the call itself. */
export function questionsOf({ verdict, questions = [] }, plan) {
  if (verdict !== 'proved') return [];
  const tools = new Map(plan.steps.map(({ id, call }) => [id, call]));
  const asked = questions.flatMap(({ step, texts }) =>
    texts.map((text) => {
      const [, argument] = /: `(\w+)` of `\w+` must be trusted/.exec(text) ?? [];
      return argument === undefined ? tools.get(step) : `${tools.get(step)}.${argument}`;
    }),
  );
  return [...new Set(asked)];
}

/** A count with its 95% interval. */
export function share(count, of) {
  return { count, of, ...(of > 0 && clopperPearsonInterval(count, of)) };
}

/** How often each of some names occurs, the commonest first. */
export function counted(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([name, count]) => ({ name, count }));
}
